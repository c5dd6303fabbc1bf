// Set the table up step by step; each step detects by itself whether it is done.

import { Board } from "../board/board.js";
import { viewPainter } from "../board/overlays.js";
import { get } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { Store, drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { NO_SETUP, reduceSetup } from "../state/setup.js";
import { Corners } from "./corners.js";
import { cameraPicture } from "./sources.js";
import { STEPS } from "./setup_steps.js";

/** @import { BoardFile, Children, HostView, SeatStyles, Session } from "#types" */
/** @import { PhonesPanel } from "./phones.js" */
/** @import { SetupAction, SetupState } from "../state/setup.js" */

const HEALTH_MS = 2_000;

export class SetupDialog {
  /**
   * @param {HTMLElement} root
   * @param {{ boardFile: BoardFile, styles: SeatStyles, session: Session, phones: PhonesPanel }} table
   * @param {(kind: "pause" | "resume") => void} send asks the table as the host
   */
  constructor(root, { boardFile, styles, session, phones }, send) {
    this.table = { boardFile, styles, session, phones };
    this.send = send;
    this.steps = STEPS.filter(({ onlyCamera }) => session.camera || !onlyCamera);
    this.frame = h("div.board-frame");
    const camera = h("img", { alt: "", hidden: true, draggable: "false" });
    const stage = h("div.camera-stage", camera);
    this.pictureFrame = h("div.camera-frame", stage);
    const body = h("div.replay-side");
    this.dialog = h(
      "dialog.replay.guided",
      { testid: "setup", "aria-labelledby": "setup-title" },
      h("div", this.frame, this.pictureFrame),
      body,
    );
    this.opener = button("wide", "setup-open", [], () => this.open());
    root.replaceChildren(this.opener, this.dialog);
    /** @type {Store<SetupState, SetupAction>} */
    this.store = new Store(reduceSetup, NO_SETUP, () => this.refresh());
    this.board = new Board(this.frame, boardFile, styles, { isNamed: false });
    this.paint = viewPainter(this.board);
    this.draw = drawer(body, (/** @type {HostView} */ view) => this.words(view));
    this.corners = new Corners(stage, camera, this.board, () => this.refresh());
    this.dialog.addEventListener("close", () => {
      this.corners.stop();
      phones.showIn(false);
      if (this.store.state.view?.game.paused) send("resume");
    });
    // The overlay would hide the holes to be touched.
    const path = () => (session.camera && !this.corners.asked ? "camera/overlay" : "preview");
    cameraPicture(camera, path, () => this.dialog.open && this.step.shows === "camera");
    setInterval(() => this.countPhones(), HEALTH_MS);
  }

  get step() {
    return this.steps[this.store.state.at];
  }

  /** @param {HostView} view */
  update(view) {
    const countsMoves = Boolean(this.step.countsMoves);
    this.store.dispatch({ view, isOpen: this.dialog.open, countsMoves });
  }

  open() {
    this.dialog.showModal();
    this.store.dispatch({ at: 0, moved: 0, cards: 0 });
  }

  /** @param {number} to index of the step; past the last one the set-up is over */
  go(to) {
    const next = this.steps[to];
    if (next?.pauses && !this.store.state.view?.game.paused) this.send("pause");
    this.corners.stop();
    if (next) this.store.dispatch({ at: to });
    else this.dialog.close();
  }

  async countPhones() {
    if (!this.dialog.open || this.step.name !== "network") return;
    const answer = await get("health");
    this.store.dispatch({ phones: answer.ok ? Math.max(0, answer.data.streams - 1) : 0 });
  }

  refresh() {
    const { state } = this.store;
    const { view, at, phones, moved, cards, learning, learned } = state;
    this.opener.textContent = t("setup");
    this.pictureFrame.hidden = this.step.shows !== "camera";
    this.frame.hidden = this.step.shows === "words";
    this.table.phones.showIn(this.dialog.open && this.step.name === "camera");
    if (!view || !this.dialog.open) return;
    this.paint(view);
    this.corners.ring();
    const { pin } = this.table.session;
    const counts = [at, phones, moved, cards, learning, learned, pin];
    this.draw([language(), counts, this.corners.key(), view.sources, view.seen, view.seats.length], view);
  }

  /** @type {(view: HostView) => Children} */
  words(view) {
    const { at } = this.store.state;
    const { name, isDone, words } = this.step;
    const { store, corners } = this;
    const context = { ...this.table, store, corners, view, refresh: () => this.refresh() };
    const done = isDone(context);
    const isLast = at === this.steps.length - 1;
    const next = t(isLast ? "setup-end" : done ? "setup-next" : "setup-skip");
    return [
      h("p.hint-line", t("setup-at", { n: at + 1, all: this.steps.length })),
      h("h2", { id: "setup-title" }, t(`setup.${name}`)),
      h("p", t(`setup-do.${name}`)),
      words(context),
      done && h("p.good", { role: "status" }, "✓ ", t("setup-done")),
      button(done ? "main" : "wide", "setup-next", next, () => this.go(at + 1)),
      at > 0 && button("quiet", "setup-back", t("setup-back"), () => this.go(at - 1)),
      !isLast && button("quiet", "setup-close", t("close"), () => this.dialog.close()),
    ];
  }
}
