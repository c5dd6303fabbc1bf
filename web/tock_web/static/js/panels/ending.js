// The place of the card at the end of a game, which is fetched once somebody has won.

import { loadAllWords } from "../core/words.js";
import { fetched } from "./lazy_panel.js";

/** @import { SeatStyles, View } from "#types" */
/** @import { Board } from "../board/board.js" */

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {Board | null} board on which the winning move is shown once more; null where it is somebody’s own
 * @param {((rotate: boolean) => void) | null} rematch given to the host
 */
export function endingPanel(root, styles, board, rematch = null) {
  /** Somebody has won before the eyes of this page: it was not opened afterwards. */
  let wasPlaying = false;
  const isWon = (/** @type {View} */ { game }) => game.winner?.length;
  const draw = fetched(
    () => Promise.all([import("./end_card.js"), loadAllWords()]),
    ([{ endCard }]) => endCard(root, styles, board, rematch),
    isWon,
  );
  return (/** @type {View} */ view) => {
    wasPlaying ||= !isWon(view);
    draw(view, wasPlaying);
  };
}
