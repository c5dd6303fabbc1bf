// Sentences as a voice reads them: signs become words.

import { t } from "../core/words.js";
import { cardName } from "./cards.js";

const CARD = /\b(10|[1-9AJQKVDRB])([♠♥♦♣])/g;
/** @type {Record<string, string>} */
const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
/** The letters of other decks. @type {Record<string, string>} */
const RANKS = { 1: "A", V: "J", B: "J", D: "Q", R: "K" };

/** A sentence with its signs in words: `8♠` is read as "8 of spades". @param {string} sentence */
export function aloud(sentence) {
  return sentence
    .replace(CARD, (_, rank, suit) => cardName(`${RANKS[rank] ?? rank}${SUITS[suit]}`))
    .replace(/Joker ★/g, cardName("JOK_C"))
    .replace(/Joker ☆/g, cardName("JOK_B"))
    .replace(/ *→ */g, ` ${t("aloud-to")} `)
    .replace(/ *⇄ */g, ` ${t("aloud-and")} `);
}
