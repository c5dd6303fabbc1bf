// Panels that few views need: each is fetched with the first view that does.

import { loadAllWords } from "../core/words.js";
import { fetched } from "./lazy_panel.js";

/** @import { BoardView, SeatStyles, SeatName, View } from "#types" */
/** @import { Board } from "../board/board.js" */
/** @typedef {(seat: SeatName, choice: "computer" | "skip" | "wait") => void} AnswerAbsent */
/** @typedef {(how: "again" | "rotated" | "lobby") => void} GoOn to the next game */

/**
 * A player has left on their own turn: who plays for them?
 * @type {(root: HTMLElement, styles: SeatStyles, answer: AnswerAbsent | null) => (view: View) => void}
 */
export function absentPanel(root, styles, answer) {
  return fetched(
    () => Promise.all([import("./absent_question.js"), loadAllWords()]),
    ([{ absentQuestion }]) => absentQuestion(root, styles, answer),
    (view) => view.absent,
  );
}

/** The tray with pawns that a real board misses. @type {(board: Board, styles: SeatStyles) => (view: BoardView) => void} */
export function missingPanel(board, styles) {
  return fetched(
    () => Promise.all([import("./missing_tray.js"), loadAllWords()]),
    ([{ missingTray }]) => missingTray(board, styles),
    ({ warning }) => warning?.code === "board/pawn_missing",
  );
}

/**
 * The card at the end of a game.
 *
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {Board | null} board on which the winning move is shown once more; null where it is somebody’s own
 * @param {GoOn | null} goOn given to the host
 */
export function endingPanel(root, styles, board, goOn = null) {
  /** Somebody has won before the eyes of this page: it was not opened afterwards. */
  let wasPlaying = false;
  const isWon = (/** @type {View} */ { game }) => game.winner?.length;
  const draw = fetched(
    () => Promise.all([import("./end_card.js"), loadAllWords()]),
    ([{ endCard }]) => endCard(root, styles, board, goOn),
    isWon,
  );
  return (/** @type {View} */ view) => {
    wasPlaying ||= !isWon(view);
    draw(view, wasPlaying);
  };
}
