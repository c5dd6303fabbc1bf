// A playing card as people see it: index and suit, red suits in red.

import { h } from "../core/dom.js";
import { t, tNamed } from "../core/words.js";

/** @import { CardName } from "#types" */

/** @type {Record<string, string>} */
export const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const LETTERED = ["A", "J", "Q", "K"];
export const JOKERS = ["JOK_B", "JOK_C"];
/** Keeps phones from replacing the suit with a coloured picture. */
const AS_TEXT = "\uFE0E";
const PATTERN = /^(A|[2-9]|10|J|Q|K)([SHDC])$/;

/** Whether a text names a card. @param {string} text */
export function isCard(text) {
  return PATTERN.test(text) || JOKERS.includes(text);
}

/** Rank and suit of a card; jokers have the rank `JOK` and their own name for a suit. */
export function rankAndSuit(/** @type {CardName} */ card) {
  const found = PATTERN.exec(card);
  return found ? { rank: found[1], suit: found[2] } : { rank: "JOK", suit: card };
}

/** The name of a card in words. @param {CardName} card */
export function cardName(card) {
  const { rank, suit } = rankAndSuit(card);
  if (rank === "JOK") return tNamed("card.", suit);
  return t("card.name", { rank: tNamed("rank.", rank), suit: tNamed("suit.", suit) });
}

/** The face of a card, to put on a button or into a sentence. @param {CardName} card */
export function cardFace(card) {
  const { rank, suit } = rankAndSuit(card);
  // The style writes the letters, as the table's deck has them.
  const letter = LETTERED.includes(rank);
  const red = ["H", "D", "JOK_C"].includes(suit);
  const face =
    rank === "JOK"
      ? [h("b", "★"), h("small", "Joker")]
      : [h("b", { "data-letter": letter && rank }, letter ? "" : rank), h("i", SUITS[suit] + AS_TEXT)];
  const sign = rank === "JOK" ? "★" : SUITS[suit] + AS_TEXT;
  return h("span", { class: red ? "card red" : "card", "aria-hidden": "true", "data-suit": sign }, face);
}
