// Playing cards as people see them: index and suit, red suits in red; few cards as a hand, the whole pack as a grid.

import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t, tNamed } from "../core/words.js";

/** @import { CardName } from "#types" */

const MOST_IN_HAND = 8;
/** @type {Record<string, string>} */
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const LETTERED = ["A", "J", "Q", "K"];
const JOKERS = ["JOK_B", "JOK_C"];
/** Keeps phones from replacing the suit with a coloured picture. */
const AS_TEXT = "\uFE0E";
const PATTERN = /^(A|[2-9]|10|J|Q|K)([SHDC])$/;

/** Every card of a pack, by rank. */
export const PACK = [...RANKS.flatMap((rank) => Object.keys(SUITS).map((suit) => rank + suit)), ...JOKERS];

/**
 * Whether a text names a card.
 *
 * @param {string} text
 */
export function isCard(text) {
  return PATTERN.test(text) || JOKERS.includes(text);
}

/**
 * Rank and suit of a card; jokers have the rank `JOK` and their own name for a suit.
 *
 * @param {CardName} card
 */
export function rankAndSuit(card) {
  const found = PATTERN.exec(card);
  return found ? { rank: found[1], suit: found[2] } : { rank: "JOK", suit: card };
}

/**
 * The name of a card in words.
 *
 * @param {CardName} card
 */
export function cardName(card) {
  const { rank, suit } = rankAndSuit(card);
  if (rank === "JOK") return tNamed("card.", suit);
  return t("card.name", { rank: tNamed("rank.", rank), suit: tNamed("suit.", suit) });
}

/**
 * The face of a card, to put on a button or into a sentence.
 *
 * @param {CardName} card
 */
export function cardFace(card) {
  const { rank, suit } = rankAndSuit(card);
  // The style writes the letters, as the table's deck has them.
  const letter = LETTERED.includes(rank);
  const red = ["H", "D", "JOK_C"].includes(suit);
  const face =
    rank === "JOK"
      ? [h("b", {}, "★"), h("small", {}, "Joker")]
      : [h("b", { "data-letter": letter && rank }, letter ? "" : rank), h("i", {}, SUITS[suit] + AS_TEXT)];
  const sign = rank === "JOK" ? "★" : SUITS[suit] + AS_TEXT;
  return h("span", { class: red ? "card red" : "card", "aria-hidden": "true", "data-suit": sign }, face);
}

/**
 * A card as a button, with its name for screen readers.
 *
 * @param {CardName} card
 * @param {string} testid
 * @param {() => unknown} onclick
 */
export function cardButton(card, testid, onclick) {
  const className = card.startsWith("10") ? "card-button wide-index" : "card-button";
  const name = h("span", { class: "out-of-sight" }, cardName(card));
  return h("button", { type: "button", class: className, testid, onclick }, cardFace(card), name);
}

/**
 * Cards in groups of one rank, in the order of the ranks, jokers last.
 *
 * @param {CardName[]} cards
 */
export function byRank(cards) {
  const groups = [...RANKS, "JOK"].map((rank) => ({
    rank,
    cards: cards.filter((card) => rankAndSuit(card).rank === rank),
  }));
  return groups.filter((group) => group.cards.length > 0);
}

/**
 * A picker for the card that lies on the table.
 *
 * @param {HTMLElement} root
 * @param {(card: CardName) => void} play called with the card that was tapped
 */
export function cardPicker(root, play) {
  const button = (/** @type {CardName} */ card) => cardButton(card, `hand-card-${card}`, () => play(card));
  const draw = drawer(root, (/** @type {CardName[]} */ cards, /** @type {string} */ title) => {
    if (!cards.length) return [];
    const isHand = cards.length <= MOST_IN_HAND;
    return [
      h("h2", {}, title),
      isHand ? h("div", { class: "hand" }, cards.map(button)) : packGrid(cards, button),
    ];
  });
  return (/** @type {CardName[]} */ cards, /** @type {string} */ title) =>
    draw([language(), cards, title], cards, title);
}

/**
 * Many cards as a grid, a row for each rank.
 *
 * @param {CardName[]} cards
 * @param {(card: CardName) => HTMLElement} button
 */
export function packGrid(cards, button) {
  const rows = byRank(cards).map((group) => {
    const label = group.rank === "JOK" ? t("jokers") : tNamed("rank.", group.rank);
    return h("div", { class: "rank", role: "group", "aria-label": label }, group.cards.map(button));
  });
  return h("div", { class: "pack" }, rows);
}
