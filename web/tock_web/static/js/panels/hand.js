// The own hand: told to the table card by card, hidden until touched, a card laid with one tap.

import { drawer, h } from "../core/dom.js";
import { language, t } from "../core/words.js";
import { cardFace, cardName } from "./card.js";
import { cardPicker } from "./cards.js";
import { handEditor } from "./editor.js";
import { photoKept, photoPanel } from "./photo.js";

/** A hand that lies open for nobody is turned over again. */
const OPEN_MS = 45_000;

/** Actions: `lay(card)`, `whole(how, cards)` lays down or throws all, `tell(cards)` to the table, `deal()` a new hand to everybody; all are sent as wishes. `photos`: may be read. */
export function handPanel(root, { lay, whole, tell, deal, photos }) {
  const [editing, holding, picking] = [h("div"), h("div"), h("div")];
  root.replaceChildren(editing, holding, picking);
  const pick = cardPicker(picking, lay);
  const editor = handEditor(editing, (cards) => {
    open = true;
    tell(cards);
  });
  const photo = photos && photoPanel(editor.extra, editor);
  const draw = drawer(holding, handSection);
  let open = false;
  let sure = false;
  let newest = null;
  let timer = null;

  function show(isOpen) {
    open = isOpen;
    clearTimeout(timer);
    if (open) timer = setTimeout(() => show(false), OPEN_MS);
    refresh();
  }

  function beginWithPhoto(wanted) {
    editor.begin(newest.hand, wanted);
    photo.take();
  }

  function askToDeal() {
    // Everybody's hand is forgotten: not by one careless touch.
    if (sure) deal();
    sure = !sure;
    refresh();
  }

  function refresh() {
    if (newest) panel(newest);
  }

  function handSection(view) {
    const { hand } = view;
    const cards = hand.cards.length ? (open ? faces(view) : cover(hand)) : null;
    const wanted = hand.missing || (hand.cards.length ? 0 : hand.next_deal);
    return h(
      "section",
      { class: "hand-panel", testid: "hand", "aria-label": t("hand") },
      cards,
      open &&
        view.cards.length > 0 &&
        hand.whole.map((how) =>
          tool(
            `hand-${how}-all`,
            `hand-${how}-all`,
            () =>
              whole(
                how,
                hand.cards.map(({ card }) => card),
              ),
            "wide",
          ),
        ),
      hand.doubtful && h("p", { class: "hand-note", role: "alert" }, t("hand-doubtful")),
      h(
        "div",
        { class: "hand-tools" },
        open && hand.cards.length > 0 && tool("hand-hide", "hand-hide", () => show(false)),
        tool(
          enterWord(hand),
          "hand-enter",
          () => editor.begin(newest.hand, wanted),
          hand.cards.length && hand.missing ? "wide" : "quiet",
          { n: wanted },
        ),
        photo && !hand.cards.length && tool("photo-take", "hand-photo", () => beginWithPhoto(wanted)),
        tool(sure ? "deal-sure" : "deal", "deal", askToDeal),
      ),
      photo && !hand.cards.length && photoKept(view.photos_kept),
    );
  }

  function faces(view) {
    return h(
      "div",
      { class: "hand" },
      view.hand.cards.map((entry) => cardButton(entry, view.cards.length > 0)),
    );
  }

  function cardButton({ card, moves }, mayLay) {
    return h(
      "button",
      {
        type: "button",
        class: "card-button in-hand",
        testid: `hand-card-${card}`,
        disabled: !mayLay,
        onclick: () => lay(card),
      },
      cardFace(card),
      h("span", { class: "out-of-sight" }, cardName(card)),
      h("small", {}, movesWord(moves)),
    );
  }

  function cover(hand) {
    return h(
      "button",
      { type: "button", class: "hand-cover", testid: "hand-show", onclick: () => show(true) },
      h(
        "span",
        { class: "backs", "aria-hidden": "true" },
        hand.cards.map(() => h("i")),
      ),
      h("span", {}, t("hand-show", { n: hand.cards.length })),
    );
  }

  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && show(false));

  function panel(view) {
    newest = view;
    const { hand } = view;
    const mayLay = view.cards.length > 0 && !view.question && !view.game.paused;
    const shown = mayLay ? view : { ...view, cards: [] };
    editor.refresh();
    if (photo) photo.refresh(view.photos_kept);
    holding.hidden = picking.hidden = editor.isOpen();
    draw([language(), hand, mayLay, open, sure, view.photos_kept], shown);
    pick(hand.cards.length || !mayLay ? [] : view.cards, "choose-card");
  }
  editor.onClose = () => {
    if (photo && !editor.isOpen()) photo.forget();
    refresh();
  };
  return panel;
}

function enterWord(hand) {
  if (!hand.cards.length) return "hand-enter";
  return hand.missing ? (hand.missing > 1 ? "hand-enter-drawn-many" : "hand-enter-drawn") : "hand-change";
}

function movesWord(moves) {
  if (!moves) return t("moves-none");
  return t(moves > 1 ? "moves-many" : "moves-one", { n: moves });
}

function tool(word, testid, onclick, className = "quiet", values = {}) {
  return h("button", { type: "button", class: className, testid, onclick }, t(word, values));
}
