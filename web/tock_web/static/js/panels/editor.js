// Telling the own hand: touch the cards one holds; what is chosen lies on top.

import { drawer, h } from "../core/dom.js";
import { language, t } from "../core/words.js";
import { PACK, cardFace, cardName } from "./card.js";
import { packGrid } from "./cards.js";

/** `save(cards)` gets the cards when the player is content; `begin`, `choose` and `isOpen` steer the editor. */
export function handEditor(root, save) {
  let cards = null;
  let wanted = 0;
  let packs = 1;
  const extra = h("div", { class: "editor-extra", id: "hand-extra" });
  const body = h("div");
  const draw = drawer(body, editor);

  function editor() {
    if (!cards) return [];
    const enough = wanted > 0 && cards.length >= wanted;
    return [
      h("h2", { id: "editor-title", tabindex: "-1" }, t("hand-which")),
      h(
        "div",
        { class: "tray", testid: "tray", role: "group", "aria-label": t("hand-chosen") },
        cards.map(chosenCard),
        empty(wanted - cards.length),
      ),
      packGrid(PACK, gridButton),
      h(
        "div",
        { class: "editor-done" },
        h(
          "button",
          {
            type: "button",
            class: enough ? "main" : "wide",
            testid: "hand-save",
            disabled: !cards.length,
            onclick: done,
          },
          saveWord(cards.length),
        ),
        h("button", { type: "button", class: "quiet", testid: "hand-cancel", onclick: close }, t("cancel")),
      ),
    ];
  }

  function chosenCard(card, index) {
    return h(
      "button",
      {
        type: "button",
        class: "card-button",
        testid: `chosen-${card}`,
        onclick: () => change(cards.filter((_, place) => place !== index)),
      },
      cardFace(card),
      h("span", { class: "out-of-sight" }, t("hand-remove", { card: cardName(card) })),
    );
  }

  function gridButton(card) {
    const count = cards.filter((other) => other === card).length;
    return h(
      "button",
      {
        type: "button",
        class: card.startsWith("10") ? "card-button wide-index" : "card-button",
        testid: `enter-card-${card}`,
        "aria-pressed": String(count > 0),
        onclick: () => change(count < packs ? [...cards, card] : cards.filter((other) => other !== card)),
      },
      cardFace(card),
      h("span", { class: "out-of-sight" }, cardName(card)),
      count > 1 && h("b", { class: "times" }, `×${count}`),
    );
  }

  function change(next) {
    cards = next;
    refresh();
  }

  function done() {
    save(cards);
    close();
  }

  function close() {
    cards = null;
    refresh();
    self.onClose();
  }

  function refresh() {
    root.hidden = !cards;
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.testid : null;
    draw([language(), cards, wanted, packs]);
    if (focused) body.querySelector(`[data-testid="${focused}"]`)?.focus();
  }

  const self = {
    /** Called when the editor has gone. */
    onClose: () => {},
    /** Open with the cards known so far; `missing` more are expected. */
    begin(hand, missing) {
      cards = hand.cards.map(({ card }) => card);
      wanted = cards.length + (hand.missing || !cards.length ? missing : 0);
      packs = hand.packs;
      refresh();
      self.onClose();
      body.querySelector("h2").focus();
    },
    /** Take cards as chosen that were read in another way, for example from a photo. */
    choose: (next) => change(next),
    /** Take another card for one that is chosen; null for none. */
    swap(card, other) {
      const place = cards.indexOf(card);
      if (place < 0) return;
      change(cards.flatMap((old, index) => (index !== place ? [old] : other ? [other] : [])));
    },
    isOpen: () => cards !== null,
    refresh,
    extra,
  };
  root.replaceChildren(
    h("section", { class: "editor", testid: "hand-editor", "aria-labelledby": "editor-title" }, extra, body),
  );
  root.hidden = true;
  return self;
}

function saveWord(count) {
  if (!count) return t("hand-save-none");
  return t(count > 1 ? "hand-save-many" : "hand-save", { n: count });
}

function empty(count) {
  return Array.from({ length: Math.max(0, count) }, () =>
    h("i", { class: "empty-card", "aria-hidden": "true" }),
  );
}
