// The place of the card at the end of a game, which is fetched once somebody has won.

import { loadAllWords } from "../core/words.js";
import { arrived } from "./frame.js";

/** @import { SeatStyles, View } from "#types" */
/** @import { Board } from "../board/board.js" */

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {Board} board on which the winning move is shown once more
 * @param {((rotate: boolean) => void) | null} rematch given to the host
 */
export function endingPanel(root, styles, board, rematch = null) {
  /** @type {((view: View, isNews: boolean) => void) | null} */
  let draw = null;
  /** @type {View | null} */
  let newest = null;
  let isFetching = false;
  /** Somebody has won before the eyes of this page: it was not opened afterwards. */
  let wasPlaying = false;

  async function fetchCard() {
    isFetching = true;
    const found = await arrived(Promise.all([import("./end_card.js"), loadAllWords()]));
    isFetching = false;
    if (found) draw ??= found[0].endCard(root, styles, board, rematch);
    if (newest) draw?.(newest, wasPlaying);
  }

  return (/** @type {View} */ view) => {
    newest = view;
    if (!view.game.winner?.length) wasPlaying = true;
    if (draw) draw(view, wasPlaying);
    else if (view.game.winner?.length && !isFetching) void fetchCard();
  };
}
