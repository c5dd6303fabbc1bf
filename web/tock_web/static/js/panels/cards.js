// Choosing the card that lies on the table: few cards as a hand, the whole pack as a grid.

import { drawer, h } from "../core/dom.js";
import { language, t } from "../core/words.js";
import { byRank, cardFace, cardName } from "./card.js";

const HAND = 8;

/** `play(card)` is called with the card that was touched. */
export function cardPicker(root, play) {
  const draw = drawer(root, (cards, title) => {
    if (!cards.length) return [];
    const button = (card) =>
      h(
        "button",
        {
          type: "button",
          class: card.startsWith("10") ? "card-button wide-index" : "card-button",
          testid: `hand-card-${card}`,
          onclick: () => play(card),
        },
        cardFace(card),
        h("span", { class: "out-of-sight" }, cardName(card)),
      );
    const body =
      cards.length <= HAND ? h("div", { class: "hand" }, cards.map(button)) : packGrid(cards, button);
    return [h("h2", {}, title), body];
  });
  return (cards, titleKey) => draw([language(), cards, titleKey], cards, t(titleKey));
}

/** Return many cards as a grid, a row for each rank. */
export function packGrid(cards, button) {
  return h(
    "div",
    { class: "pack" },
    byRank(cards).map(([rank, list]) => group(rank, list, button)),
  );
}

function group(rank, cards, button) {
  const label = rank === "JOK" ? t("jokers") : t(`rank.${rank}`);
  return h("div", { class: "rank", role: "group", "aria-label": label }, cards.map(button));
}
