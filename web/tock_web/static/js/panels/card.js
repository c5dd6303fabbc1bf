// Playing cards as people see them: index and suit, red suits in red.

import { h } from "../core/dom.js";
import { t } from "../core/words.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
/** Every card of a pack, by rank. */
export const PACK = [
  ...RANKS.flatMap((rank) => ["S", "H", "D", "C"].map((suit) => rank + suit)),
  "JOK_B",
  "JOK_C",
];
/** Keeps phones from replacing the suit with a coloured picture. */
const AS_TEXT = "\uFE0E";
const PATTERN = /^(A|[2-9]|10|J|Q|K)([SHDC])$/;

/** Tell whether a text names a card. */
export function isCard(card) {
  return PATTERN.test(card) || card === "JOK_B" || card === "JOK_C";
}

/** Return rank and suit of a card; jokers have the rank `JOK`. */
export function parts(card) {
  const found = PATTERN.exec(card);
  return found ? { rank: found[1], suit: found[2] } : { rank: "JOK", suit: card };
}

/** Return the name of a card in words. */
export function cardName(card) {
  const { rank, suit } = parts(card);
  if (rank === "JOK") return t(`card.${suit}`);
  return t("card.name", { rank: t(`rank.${rank}`), suit: t(`suit.${suit}`) });
}

/** Return the face of a card, to put on a button or into a sentence. */
export function cardFace(card, withRank = true) {
  const { rank, suit } = parts(card);
  const red = suit === "H" || suit === "D" || suit === "JOK_C";
  const face =
    rank === "JOK"
      ? [h("b", {}, "★"), h("small", {}, "Joker")]
      : [withRank && h("b", {}, rank), h("i", {}, SUITS[suit] + AS_TEXT)];
  return h("span", { class: red ? "card red" : "card", "aria-hidden": "true" }, face);
}

/** Return cards in groups of one rank, in the order of the ranks, jokers last. */
export function byRank(cards) {
  const groups = new Map([...RANKS, "JOK"].map((rank) => [rank, []]));
  for (const card of cards) groups.get(parts(card).rank)?.push(card);
  return [...groups].filter(([, list]) => list.length > 0);
}
