// "The camera is wrong": correct the board by hand, one pawn at a time, under a magnifier.

import { Board } from "../board/board.js";
import { ringAt } from "../board/mending.js";
import { button, h, icon } from "../core/dom.js";
import { Store } from "../core/store.js";
import { onLanguage, t } from "../core/words.js";
import { NO_CORRECTION, reduceCorrect } from "../state/boards.js";
import { colorName } from "./seats.js";

/** @import { BoardFile, Change, HostView, SeatStyles, Point, SeatView } from "#types" */
/** @import { CorrectAction, CorrectState } from "../state/boards.js" */

/** Width of the magnified part of the board. */
const LENS_PITCHES = 8;

export class CorrectPanel {
  /**
   * Draw the button into `root`.
   *
   * @param {HTMLElement} root
   * @param {BoardFile} boardFile
   * @param {SeatStyles} styles
   * @param {(changes: Change[]) => void} send gets the changes once they are confirmed
   * @param {number} [angle] of the board, in degrees
   */
  constructor(root, boardFile, styles, send, angle = 0) {
    this.root = root;
    this.styles = styles;
    this.send = send;
    this.frame = h("div.board-frame");
    this.title = h("h2", { id: "correct-title" });
    this.say = h("p.correct-say", { role: "status", testid: "correct-say" });
    this.back = button("wide", "correct-undo", [], () => this.store.dispatch({ type: "undone" }));
    this.done = button("main", "correct-send", [], () => this.finish());
    this.whole = button("quiet", "correct-whole", [], () => this.magnify(null));
    this.cancel = button("quiet", "correct-cancel", [], () => this.dialog.close());
    const side = [this.title, this.say, this.back, this.done, this.whole, this.cancel];
    this.dialog = h(
      "dialog.replay",
      { testid: "correct", "aria-labelledby": "correct-title" },
      this.frame,
      h("div.replay-side", side),
    );
    this.opener = button("quiet", "correct-open", [], () => this.open());
    // Kept when words are drawn again: a tap on it must still find its button.
    this.word = h("span");
    this.opener.append(icon("correct"), this.word);
    this.opener.dataset.close = "";
    root.replaceChildren(this.opener);
    // The dialog stays when the menu that may have its button closes.
    document.body.append(this.dialog);
    /** @type {SeatView | HostView | null} */
    this.view = null;
    /** @type {Board | null} */
    this.board = null;
    this.makeBoard = () => {
      const onTap = (/** @type {Point} */ point) => this.tapped(point);
      return new Board(this.frame, boardFile, styles, { angle, onTap });
    };
    /** @type {Store<CorrectState, CorrectAction>} */
    this.store = new Store(reduceCorrect, NO_CORRECTION, () => this.draw());
    onLanguage(() => this.write());
    this.write();
  }

  /** @param {SeatView | HostView} view */
  update(view) {
    this.view = view;
    this.root.hidden = view.game.ended;
  }

  open() {
    if (!this.view) return;
    this.board ??= this.makeBoard();
    this.dialog.showModal();
    this.store.dispatch({ type: "opened", holes: this.view.holes });
  }

  finish() {
    this.send(this.store.state.changes);
    this.dialog.close();
  }

  /** @param {Point | null} point */
  magnify(point) {
    this.store.dispatch({ type: "magnified", point });
  }

  /** Pick a part of the board first, then the hole: on a phone holes are smaller than a finger. */
  tapped(/** @type {Point} */ point) {
    if (!this.board) return;
    if (!this.store.state.magnified) {
      this.magnify(point);
      return;
    }
    const { layout } = this.board;
    const { place, distance } = layout.nearest(point);
    if (place && distance <= layout.pitch) this.store.dispatch({ type: "tapped", hole: place.hole.id });
  }

  draw() {
    const { board } = this;
    if (!board) return;
    const { holes, changes, taken, magnified } = this.store.state;
    const { pitch, box } = board.layout;
    const side = pitch * LENS_PITCHES;
    const [left, top] = magnified ? [magnified.x - side / 2, magnified.y - side / 2] : [box.left, box.top];
    board.show(magnified ? { left, top, width: side, height: side } : box);
    board.markPawns(holes);
    board.drawPawns(holes, new Set(taken ? [taken.from] : []));
    board.put(
      "repair",
      changes.map(({ to }) => ringAt(board, to, "right", pitch * 0.6)),
      taken && ringAt(board, taken.from, "wrong", pitch * 0.6),
    );
    this.write();
  }

  write() {
    const { changes, taken, magnified } = this.store.state;
    this.word.textContent = t("correct");
    this.title.textContent = t("correct");
    this.done.textContent = t(sendWord(changes.length), { n: changes.length });
    this.back.textContent = t("correct-undo");
    this.cancel.textContent = t("cancel");
    this.whole.textContent = t("correct-whole");
    this.done.disabled = !changes.length;
    this.back.hidden = !changes.length && !taken;
    this.whole.hidden = !magnified;
    const color = taken ? colorName(taken.seat, this.styles) : "";
    this.say.textContent = t(`correct-${taken ? "put" : "take"}-${magnified ? "hole" : "zone"}`, { color });
  }
}

/** @param {number} count */
function sendWord(count) {
  if (!count) return "correct-send-none";
  return count > 1 ? "correct-send-many" : "correct-send";
}
