// People and boards far away, as the host sees them: inviting, links, how things stand, where their cards come from.

import { pawnIcon } from "../board/shapes.js";
import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { endOnceSure } from "../core/ending.js";
import { cardsParts, freeSeats, photoButton, sentence } from "./host_guest.js";
import { followParts } from "./host_follow.js";
import { meetingPlace } from "./host_meeting.js";
import { linkParts } from "./host_link.js";
import { granted } from "../panels/frame.js";
import { colorName } from "../panels/seats.js";

/** @import { Children, FarPlaces, FarRow, HostView, Reply, SeatStyles } from "#types" */

const LOOK_AGAIN_MS = 3_000;
/** Until the computer is offered: tunnels are short. */
const STAND_IN_S = 20;

class FarHostPanel {
  /** @param {HTMLElement} root @param {SeatStyles} styles @param {() => void} drawn after the first answer */
  constructor(root, styles, drawn) {
    this.root = root;
    this.styles = styles;
    /** @type {FarPlaces | null} */
    this.places = null;
    /** @type {HostView | null} */
    this.view = null;
    /** The invitation whose end was asked for once. */
    this.isAsking = false;
    /** The link of another home, as far as it is typed. */
    this.typed = "";
    /** @type {Set<string>} the folded parts that the host has opened */
    this.open = new Set();
    this.meeting = meetingPlace();
    this.drawAll = drawer(root, () => this.all());
    onLanguage(() => this.draw());
    this.follow().finally(drawn);
  }

  /** @param {HostView} view */
  update(view) {
    const before = this.view?.far;
    this.view = view;
    if (JSON.stringify(before) !== JSON.stringify(view.far)) this.look();
    this.draw();
  }

  async follow() {
    if (document.visibilityState === "visible") await this.look();
    if (this.places?.on === false && this.places.followed.state === "off" && !this.typed) return;
    setTimeout(() => this.follow(), LOOK_AGAIN_MS);
  }

  async look() {
    const answer = await get("far");
    if (answer.ok) this.show(answer.data);
  }

  /** @param {FarPlaces} places */
  show(places) {
    this.places = places;
    this.draw();
  }

  draw() {
    if (!this.places || !this.view || this.isTyping()) return;
    const { seats, far, guidance } = this.view;
    this.drawAll([language(), this.places, seats, far, guidance?.code, this.isAsking]);
  }

  /**
   * @param {"far/invite" | "far/cards" | "far/stand-in"} path
   * @param {object} data
   */
  ask(path, data) {
    return this.asked(post(path, data));
  }

  /** @param {Promise<Reply<FarPlaces>>} asked */
  async asked(asked) {
    this.isAsking = true;
    this.draw();
    const answer = await asked;
    this.isAsking = false;
    if (granted(answer)) this.show(answer.data);
    else this.draw();
  }

  /** A field that is drawn again loses its keyboard. */
  isTyping() {
    const at = document.activeElement;
    return at instanceof HTMLInputElement && !at.readOnly && this.root.contains(at);
  }

  all() {
    const { places, view } = this;
    if (!places || !view) return [];
    const title = h("h2", t("far-host.title"));
    const typed = (/** @type {string} */ link) => {
      this.typed = link;
    };
    const { code = "" } = view.guidance ?? {};
    const follow = followParts(places.followed, code === "elsewhere/copy", this.typed, typed, (shown) =>
      this.show(shown),
    );
    // Whoever follows another home invites nobody: that home does.
    if (places.followed.state !== "off") return [title, follow];
    if (!places.on) {
      return this.folded("off", "far-host.title", [this.meeting(), follow]);
    }
    const free = view.seats.filter(
      ({ seat, taken }) => !taken && !places.seats.some((row) => row.seat === seat),
    );
    const invite = (/** @type {"far-board" | "far-watch"} */ testid, /** @type {object} */ data) =>
      this.button(testid, "quiet", t(`far-host.${testid}`), () => this.ask("far/invite", data));
    return [
      title,
      places.seats.map((row) => this.guest(row)),
      [...places.boards, ...places.watching].map((row) => this.guest(row)),
      free.length > 0 &&
        freeSeats(free, this.styles, this.isAsking, (seat, name) => this.ask("far/invite", { seat, name })),
      !places.boards.length && invite("far-board", { seat: null }),
      invite("far-watch", { seat: null, watches: true }),
      free.length > 0 && !places.seats.length && h("p.hint-line", t("far-host.drawn")),
      follow,
    ];
  }

  /** @param {FarRow} row */
  guest(row) {
    const { seat, state } = row;
    const isPlayedFor = this.view?.seats.some((one) => one.seat === seat && one.computer);
    const away = state === "away" && row.seconds >= STAND_IN_S && !isPlayedFor;
    const name = seat ? colorName(seat, this.styles) : row.watches ? row.name : t("far-host.a-board");
    return h(
      "section.far-guest",
      { "data-seat": seat },
      h(
        "p.with-icon",
        { testid: "far-state", "data-state": state, role: "status" },
        seat && pawnIcon(this.styles.get(seat)),
        h("span", sentence(row, name, this.view)),
      ),
      state === "waiting" ? linkParts(row) : this.folded(`${row.room} link`, "far-host.link", linkParts(row)),
      away && seat && this.standIn(row),
      row.cards === "real" && seat && photoButton(seat),
      this.more(row),
    );
  }

  /** @param {FarRow} row */
  more(row) {
    const { room, seat } = row;
    const renew = () => this.asked(endOnceSure("far/renew", { room }, t("far-host.renew")));
    return this.folded(`${room} more`, "far-host.more", [
      seat && cardsParts(row, (cards) => this.ask("far/cards", { room, cards })),
      h("p.actions", this.button("far-renew", "quiet", t("far-host.renew"), renew), this.revoke(row)),
    ]);
  }

  /**
   * What few hosts need; it stays open while things change around it.
   * @type {(name: string, title: "far-host.link" | "far-host.more" | "far-host.title", inside: Children) => HTMLDetailsElement}
   */
  folded(name, title, inside) {
    const box = h("details", { open: this.open.has(name) }, h("summary", t(title)), inside);
    box.addEventListener("toggle", () => (box.open ? this.open.add(name) : this.open.delete(name)));
    return box;
  }

  /** @param {FarRow} row */
  standIn({ room }) {
    const act = () => this.ask("far/stand-in", { room });
    return this.button("far-stand-in", "wide", t("far-host.stand-in"), act);
  }

  /** @param {FarRow} row */
  revoke({ room }) {
    const act = () => this.asked(endOnceSure("far/revoke", { room }, t("far-host.revoke-sure")));
    return this.button("far-revoke", "quiet", t("far-host.revoke"), act);
  }

  /** @type {(testid: string, kind: string, label: string, onclick: () => void) => HTMLButtonElement} */
  button(testid, kind, label, onclick) {
    return button(kind, testid, label, onclick, { disabled: this.isAsking });
  }
}

/** @type {(root: HTMLElement, styles: SeatStyles, drawn: () => void) => (view: HostView) => void} */
export function hostPanel(root, styles, drawn) {
  const panel = new FarHostPanel(root, styles, drawn);
  root.hidden = false;
  return (/** @type {HostView} */ view) => panel.update(view);
}
