// The place of the card at the end of a game, which is fetched once somebody has won.

import { arrived } from "./frame.js";

/** @import { Looks, View } from "#types" */

/**
 * @param {HTMLElement} root
 * @param {Looks} looks
 * @param {((rotate: boolean) => void) | null} rematch given to the host
 */
export function endingPanel(root, looks, rematch = null) {
  /** @type {((view: View) => void) | null} */
  let draw = null;
  /** @type {View | null} */
  let newest = null;
  let isFetching = false;

  async function fetchCard() {
    isFetching = true;
    const module = await arrived(import("./end_card.js"));
    isFetching = false;
    if (module) draw ??= module.endCard(root, looks, rematch);
    if (newest) draw?.(newest);
  }

  return (/** @type {View} */ view) => {
    newest = view;
    if (draw) draw(view);
    else if (view.game.winner?.length && !isFetching) void fetchCard();
  };
}
