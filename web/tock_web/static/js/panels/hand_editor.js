// Enter the hand: tap the cards you hold; those chosen lie on top.

import { button, h } from "../core/dom.js";
import { Store, drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { CLOSED_EDITOR, reduceEditor } from "../state/hand.js";
import { PACK, cardButton, packGrid } from "./card_grid.js";
import { cardFace, cardName } from "./cards.js";

/** @import { CardName, Children, HandInfo } from "#types" */
/** @import { EditorAction, EditorState } from "../state/hand.js" */

/** The editor, opened by the hand panel and filled by the photo panel. */
export class HandEditor {
  /**
   * @param {HTMLElement} root
   * @param {(cards: CardName[]) => void} save gets the cards when the player is content
   * @param {() => void} changed told whenever the editor has opened, changed or closed
   */
  constructor(root, save, changed) {
    this.root = root;
    this.save = save;
    /** Room for another way to enter cards. */
    this.extra = h("div.editor-extra", { id: "hand-extra" });
    this.body = h("div");
    this.drawBody = drawer(this.body, () => this.section());
    /** @type {Store<EditorState, EditorAction>} */
    this.store = new Store(reduceEditor, CLOSED_EDITOR, () => {
      this.refresh();
      changed();
    });
    const attributes = { class: "editor", testid: "hand-editor", "aria-labelledby": "editor-title" };
    root.replaceChildren(h("section", attributes, this.extra, this.body));
    root.hidden = true;
  }

  get isOpen() {
    return this.store.state.cards !== null;
  }

  /**
   * Open with the cards known so far.
   *
   * @param {HandInfo} hand
   * @param {number} missing how many more are expected
   */
  begin(hand, missing) {
    this.store.dispatch({ type: "begun", hand, missing });
    this.body.querySelector("h2")?.focus();
  }

  /** Choose cards that were read in another way, for example from a photo. @param {CardName[]} cards */
  choose(cards) {
    this.store.dispatch({ type: "chosen", cards });
  }

  /** Replace a chosen card. @param {CardName} card @param {CardName | null} other null for none */
  swap(card, other) {
    this.store.dispatch({ type: "swapped", card, other });
  }

  refresh() {
    const { cards, wanted, packs, isSure } = this.store.state;
    this.root.hidden = !cards;
    this.drawBody([language(), cards, wanted, packs, isSure]);
  }

  /** @returns {Children} */
  section() {
    const { cards, wanted, isSure } = this.store.state;
    if (!cards) return [];
    const isEnough = wanted > 0 && cards.length >= wanted;
    const tray = { class: "tray", testid: "tray", role: "group", "aria-label": t("hand-chosen") };
    const save = button(
      isEnough ? "main" : "wide",
      "hand-save",
      saveWord(cards.length),
      () => this.finish(cards),
      { disabled: !cards.length },
    );
    return [
      h("h2", { id: "editor-title", tabindex: "-1" }, t("hand-which")),
      h(
        "div",
        tray,
        cards.map((card, index) => this.chosenCard(card, index)),
        emptyPlaces(wanted - cards.length),
      ),
      packGrid(PACK, (card) => this.gridCard(card, cards)),
      isSure &&
        h(
          "p.hand-note",
          { role: "alert", testid: "hand-sure" },
          t("hand-sure", { n: cards.length, dealt: wanted }),
        ),
      h(
        "div.editor-done",
        save,
        button("quiet", "hand-cancel", t("cancel"), () => this.close()),
      ),
    ];
  }

  /** @type {(card: CardName, index: number) => HTMLButtonElement} */
  chosenCard(card, index) {
    const onclick = () => this.store.dispatch({ type: "removed", index });
    const name = h("span.out-of-sight", t("hand-remove", { card: cardName(card) }));
    return button("card-button", `chosen-${card}`, [cardFace(card), name], onclick);
  }

  /** @type {(card: CardName, cards: CardName[]) => HTMLButtonElement} */
  gridCard(card, cards) {
    const count = cards.filter((other) => other === card).length;
    const onclick = () => this.store.dispatch({ type: "tapped", card });
    const node = cardButton(card, `enter-card-${card}`, onclick);
    node.setAttribute("aria-pressed", String(count > 0));
    if (count > 1) node.append(h("b.times", `×${count}`));
    return node;
  }

  /** @param {CardName[]} cards */
  finish(cards) {
    const { wanted, isSure } = this.store.state;
    if (wanted && cards.length > wanted && !isSure) {
      this.store.dispatch({ type: "doubted" });
      return;
    }
    this.save(cards);
    this.close();
  }

  close() {
    this.store.dispatch({ type: "closed" });
  }
}

/** @param {number} count */
function saveWord(count) {
  if (!count) return t("hand-save-none");
  return t(count > 1 ? "hand-save-many" : "hand-save", { n: count });
}

/** @param {number} count */
function emptyPlaces(count) {
  const one = () => h("i.empty-card", { "aria-hidden": "true" });
  return Array.from({ length: Math.max(0, count) }, one);
}
