// The laid card and its legal moves as large buttons, numbered like the targets on the board.

import { button, h, icon } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName } from "./cards.js";

/** @import { LegalMove, SeatView, Word } from "#types" */
/**
 * @typedef {object} MoveActions
 * @property {(index: number | null) => void} choose points at a move, or at none
 * @property {(move: LegalMove) => void} play plays a move by touch
 * @property {(card: string) => void} discard
 * @property {() => void} endTurn
 * @property {() => void} takeBack the laid card
 */

/** @type {(root: HTMLElement, actions: MoveActions) => (view: SeatView, chosen: number | null) => void} */
export function movesPanel(root, actions) {
  const draw = drawer(root, (/** @type {SeatView} */ view, /** @type {number | null} */ chosen) => {
    const { card } = view;
    if (!view.your_turn || !card) return view.can_end_turn && big("end-turn", "end-turn", actions.endTurn);
    const moves = view.legal_moves ?? [];
    const numbered = moves.length !== 1;
    const rows = moves.map((move, index) =>
      h("li", moveButton(view, move, index, { isChosen: chosen === index, numbered, actions })),
    );
    return [
      h(
        "div.laid",
        laidCard(card),
        view.may_take_back && button("quiet", "take-back", [icon("undo"), t("undo-card")], actions.takeBack),
      ),
      h("h2", heading(view, moves)),
      h("ol.moves", rows),
      view.can_discard && big("discard", "discard", () => actions.discard(card)),
    ];
  });
  return (/** @type {SeatView} */ view, /** @type {number | null} */ chosen) => {
    const { your_turn: mine, card, legal_moves: moves, by_touch: touch } = view;
    const { can_discard: mayDiscard, can_end_turn: mayEnd, may_take_back: mayTake } = view;
    draw([language(), mine, card, moves, touch, mayDiscard, mayEnd, mayTake, chosen], view, chosen);
  };
}

/** @param {string} card */
function laidCard(card) {
  return h("span.laid-card", cardFace(card), h("span", cardName(card)));
}

/** @type {(word: Word, testid: string, onclick: () => void) => HTMLButtonElement} */
function big(word, testid, onclick) {
  return button("big", testid, t(word), onclick);
}

/** @type {(view: SeatView, moves: LegalMove[]) => string} */
function heading(view, moves) {
  const single = moves.length === 1;
  if (!moves.length) return t("no-move");
  if (view.by_touch) return t(single ? "touch-one" : "touch-many");
  return t(single ? "make-one" : "make-many", { n: moves.length });
}

/**
 * @param {SeatView} view
 * @param {LegalMove} move
 * @param {number} index
 * @param {{ isChosen: boolean, numbered: boolean, actions: MoveActions }} options
 */
function moveButton(view, move, index, { isChosen, numbered, actions }) {
  // No camera sees two pawns of one colour change places, so such a swap is played by tap.
  const touch = view.by_touch || move.by_touch;
  return button(
    isChosen ? "move chosen" : "move",
    "legal-move",
    [numbered && h("span.move-number", String(index + 1)), h("span.move-label", say(move.label))],
    () => (touch ? actions.play(move) : actions.choose(isChosen ? null : index)),
    { "data-move": move.text, "aria-pressed": touch ? null : String(isChosen) },
  );
}
