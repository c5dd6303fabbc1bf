// The letters in the corners of the table's cards: V, D, R or J, Q, K.

import { h, tile } from "../core/dom.js";
import { t, usualDeck } from "../core/words.js";

/** @import { View } from "#types" */
/** @typedef {typeof DECKS[number]} Deck */

export const DECKS = /** @type {const} */ (["french", "english", "french_one", "german"]);

/** The decks that nearly every table has; the others are chosen on the host's page.
 *
 * @type {readonly Deck[]} */
const USUAL = ["french", "english"];

/**
 * The deck that this phone draws: where nobody has said, the one that most people of its language have.
 * @type {(view: Pick<View, "indices">) => Deck}
 */
export function deckOf({ indices }) {
  return indices === "language" ? usualDeck() : indices;
}

/**
 * A button for each usual deck, for the host.
 * @type {(view: Pick<View, "indices">, choose: (indices: Deck) => void) => HTMLDivElement}
 */
export function deckTiles(view, choose) {
  const now = deckOf(view);
  const one = (/** @type {Deck} */ deck) =>
    tile("tile small", `lobby-deck-${deck}`, t(`indices.${deck}`), deck === now, () => choose(deck));
  return h(
    "div.lobby-deck",
    { role: "group", "aria-label": t("indices") },
    h("span.label", { "aria-hidden": "true" }, t("indices")),
    DECKS.filter((deck) => USUAL.includes(deck) || deck === now).map(one),
  );
}
