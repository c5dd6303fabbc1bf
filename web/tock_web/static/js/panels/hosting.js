// The host's decisions: PIN, limits of hints, computer players.

import { pawnIcon } from "../board/shapes.js";
import { get, post } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { button, choice, h, options } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { DECKS, deckOf } from "./deck.js";
import { granted, toast } from "./frame.js";
import { proofField, word } from "./proof.js";
import { colorName } from "./seats.js";

/** @import { SeatStyles, SeatInfo, Session, View, Gets } from "#types" */
/** @import { Deck } from "./deck.js" */
/** @typedef {Pick<SeatInfo, "seat" | "computer">} FreeSeat */

const STRENGTHS = /** @type {const} */ (["none", "easy", "medium", "strong"]);
const LEVELS = /** @type {const} */ (["off", "nudge", "hint", "teacher"]);

/** The way in for the host: one tap while there is no PIN, else the PIN. @param {Session} session */
export function hostDoor(session) {
  const pin = partOf(HTMLInputElement, "pin");
  part("host-door").hidden = false;
  part("host-taken").hidden = !session.host_taken || session.pin;
  const needsProof = session.pin || session.host_taken;
  part("pin-box").hidden = !needsProof;
  part("pin-hint").hidden = session.pin || !needsProof;
  word(part("pin-label"), session.pin ? "pin" : "machine-code");
  word(part("pin-hint"), session.pin ? "pin-forgotten" : "machine-code-what");
  part("host-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (granted(await post("host", needsProof ? { pin: pin.value } : {}))) location.reload();
    else {
      part("pin-hint").hidden = false;
      pin.select();
    }
  });
}

/** Let the host choose a PIN, and take the rights from other hosts. @param {Session} session */
export function pinForm(session) {
  part("no-pin").hidden = session.pin;
  const { box, input: proof } = proofField(session, "pin-proof-field");
  part("pin-proof").append(...box);
  hostList(part("hosts"), proof, part("new-pin-save"));
  part("new-pin-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const pin = partOf(HTMLInputElement, "new-pin").value;
    const [save, asked] = [part("new-pin-save").textContent, { pin: pin || null, proof: proof.value }];
    if (granted(await endOnceSure("host/pin", asked, save))) location.reload();
    else proof.select();
  });
}

/** The limits on advice. */
export async function hintRules() {
  const [most, perSeat] = [
    partOf(HTMLSelectElement, "hints-most"),
    partOf(HTMLInputElement, "hints-per-seat"),
  ];
  const rules = await get("hints");
  if (!rules.ok) return;
  most.replaceChildren(...options(LEVELS, rules.data.most, (level) => t(`hints-${level}`)));
  perSeat.value = String(rules.data.per_seat ?? "");
  const send = async () => {
    const number = perSeat.value === "" ? null : Number(perSeat.value);
    if (granted(await post("hints", { most: most.value, per_seat: number }))) toast(t("done"), "good");
  };
  most.addEventListener("change", send);
  perSeat.addEventListener("change", send);
}

/**
 * A choice for every seat that nobody holds.
 *
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {(seat: string, strength: "easy" | "medium" | "strong" | null) => void} choose
 */
export function computersPanel(root, styles, choose) {
  const row = (/** @type {FreeSeat} */ { seat, computer }) => {
    const select = choice(
      { testid: `computer-${seat}`, "aria-label": colorName(seat, styles) },
      STRENGTHS,
      STRENGTHS.find((name) => name === computer) ?? "none",
      (name) => t(`computer.${name}`),
      (strength) => choose(seat, strength === "none" ? null : strength),
    );
    return h("li", pawnIcon(styles.get(seat)), h("span", colorName(seat, styles)), select);
  };
  const draw = drawer(root, (/** @type {FreeSeat[]} */ seats) => seats.map(row));
  return (/** @type {View} */ view) => {
    const free = view.seats.filter(({ taken }) => !taken).map(({ seat, computer }) => ({ seat, computer }));
    draw([language(), free], free);
  };
}

/**
 * The letters in the corners of the table's cards.
 * @type {(select: HTMLSelectElement, choose: (indices: Deck) => void) => (view: View) => void}
 */
export function indicesPanel(select, choose) {
  const draw = drawer(select, (/** @type {Deck} */ current) =>
    options(DECKS, current, (name) => t(`indices.${name}`)),
  );
  select.addEventListener("change", () => choose(DECKS[select.selectedIndex]));
  return (/** @type {View} */ view) => draw([language(), view.indices], deckOf(view));
}

/** @typedef {Gets["host/others"]["hosts"]} HostRows */

/**
 * List them, with the PIN or the machine's code from `proof`; the button that saves a new PIN says whom it ends.
 *
 * @param {HTMLElement} root
 * @param {HTMLInputElement} proof
 * @param {HTMLElement} save
 */
export function hostList(root, proof, save) {
  /** @type {HostRows} */
  let hosts = [];
  const draw = () => {
    save.dataset.t = hosts.length ? "pin-save-ends" : "save";
    save.textContent = t(save.dataset.t === "save" ? "save" : "pin-save-ends");
    const rows = hosts.map(({ key, name, here }) => {
      const onclick = async () => {
        const asked = { key, proof: proof.value };
        if (granted(await endOnceSure("host/others/end", asked, t("host-end-one"), name))) await fetchHosts();
        else proof.select();
      };
      const who = [name ?? t("host-phone"), here ? "" : ` (${t("host-not-here")})`];
      return h("li", h("span", who), button("quiet", `end-host-${key}`, t("host-end-one"), onclick));
    });
    root.replaceChildren(...(rows.length ? [h("h3", t("host-others")), h("ul.seats", rows)] : []));
  };
  const fetchHosts = async () => {
    const answer = await get("host/others");
    if (!answer.ok) return;
    hosts = answer.data.hosts;
    draw();
  };
  onLanguage(draw);
  document.addEventListener("tock-hosts", fetchHosts);
  fetchHosts();
}
