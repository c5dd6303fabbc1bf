// Cards to choose from: few as a hand, the whole pack as a grid.

import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t, tNamed } from "../core/words.js";
import { JOKERS, SUITS, cardFace, cardName, rankAndSuit } from "./cards.js";

/** @import { CardName } from "#types" */

const MAX_HAND_CARDS = 8;
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** Every card of a pack, by rank. */
export const PACK = [...RANKS.flatMap((rank) => Object.keys(SUITS).map((suit) => rank + suit)), ...JOKERS];

/**
 * A card as a button, with its name for screen readers.
 * @type {(card: CardName, testid: string, onclick: () => unknown) => HTMLButtonElement}
 */
export function cardButton(card, testid, onclick) {
  const className = card.startsWith("10") ? "card-button wide-index" : "card-button";
  const name = h("span.out-of-sight", cardName(card));
  return button(className, testid, [cardFace(card), name], onclick);
}

/** Cards in groups of one rank, in the order of the ranks, jokers last. @param {CardName[]} cards */
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
  const one = (/** @type {CardName} */ card) => cardButton(card, `hand-card-${card}`, () => play(card));
  const draw = drawer(
    root,
    (
      /** @type {CardName[]} */ cards,
      /** @type {readonly CardName[]} */ helping,
      /** @type {string} */ title,
    ) => {
      if (!cards.length) return [];
      if (cards.length <= MAX_HAND_CARDS) return [h("h2", title), h("div.hand", cards.map(one))];
      if (!helping.length) return [h("h2", title), packGrid(cards, one)];
      // Where few cards move a pawn, nobody scrolls for them.
      const others = cards.filter((card) => !helping.includes(card));
      return [
        h("h2", title),
        packGrid([...helping], one),
        h("p.label", t("choose-card-others")),
        packGrid(others, one),
      ];
    },
  );
  return (
    /** @type {CardName[]} */ cards,
    /** @type {readonly CardName[]} */ helping,
    /** @type {string} */ title,
  ) => draw([language(), cards, helping, title], cards, helping, title);
}

/**
 * Many cards as a grid, a row for each rank.
 * @type {(cards: CardName[], button: (card: CardName) => HTMLElement) => HTMLDivElement}
 */
export function packGrid(cards, one) {
  const rows = byRank(cards).map((group) => {
    const label = group.rank === "JOK" ? t("jokers") : tNamed("rank.", group.rank);
    return h("div.rank", { role: "group", "aria-label": label }, group.cards.map(one));
  });
  return h("div.pack", rows);
}
