// The player's own hand: entered card by card, covered until tapped, a card laid with one tap.

import { button, h, icon } from "../core/dom.js";
import { line } from "../core/line.js";
import { Store, drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { COVERED, reduceHand } from "../state/hand.js";
import { cardPicker } from "./card_grid.js";
import { cardFace, cardName } from "./cards.js";
import { HandEditor } from "./hand_editor.js";
import { toast } from "./frame.js";
import { PhotoPanel, photoKept } from "./photo.js";

/** @import { CardName, Children, HandCard, HandInfo, SeatView, WithheldInfo, Word } from "#types" */
/** @import { HandAction, HandState } from "../state/hand.js" */
/** @import { IconName } from "../core/dom.js" */

/**
 * A hand's requests to the table.
 *
 * @typedef {object} HandActions
 * @property {(card: CardName) => void} lay
 * @property {(how: "down" | "throw", cards: CardName[]) => void} layWhole lays down or throws all
 * @property {(cards: CardName[]) => Promise<boolean>} tell false where the table did not take them
 * @property {(how: "unnamed" | "withdrawn") => void} give a card from hand to hand, or take one back
 * @property {() => void} deal a new hand to everybody
 */

/** A hand left open is covered again, but not in another home. */
const OPEN_MS = 45_000;

export class HandPanel {
  /** @param {HTMLElement} root @param {HandActions} actions @param {boolean} photos may be read */
  constructor(root, actions, photos) {
    const [editing, picking] = [h("div"), h("div")];
    this.holding = h("div");
    this.picking = picking;
    root.replaceChildren(editing, this.holding, picking);
    this.actions = actions;
    this.pick = cardPicker(picking, actions.lay);
    this.draw = drawer(this.holding, (/** @type {SeatView} */ view) => this.section(view));
    /** @type {Store<HandState, HandAction>} */
    this.store = new Store(reduceHand, { ...COVERED, isOpen: line.isRemote }, () => this.refresh());
    /** @type {SeatView | null} */
    this.view = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isTelling = false;
    this.editor = new HandEditor(
      editing,
      (cards) => void this.tell(cards),
      () => this.edited(),
    );
    this.photo = photos ? new PhotoPanel(this.editor) : null;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && !line.isRemote) this.show(false);
    });
  }

  /** @param {SeatView} view */
  update(view) {
    this.view = view;
    this.isTelling &&= !view.hand.cards.length;
    this.editor.refresh();
    this.photo?.update(view.photos_kept);
    this.refresh();
  }

  edited() {
    if (!this.editor.isOpen) this.photo?.forget();
    this.refresh();
  }

  /** @param {CardName[]} cards */
  async tell(cards) {
    this.isTelling = true;
    this.show(true);
    const answered = this.actions.tell(cards);
    // The editor above it was taller than the screen.
    this.holding.scrollIntoView({ block: "center" });
    if (await answered) return;
    this.isTelling = false;
    this.refresh();
    if (this.editor.isOpen || !this.view) return;
    // Nobody enters twelve cards twice because the Wi-Fi was away.
    this.enter(this.view.hand);
    this.editor.choose(cards);
  }

  /** @param {HandInfo} hand */
  enter(hand) {
    this.editor.begin(hand, missingFrom(hand));
  }

  /** @param {boolean} isOpen */
  show(isOpen) {
    clearTimeout(this.timer);
    if (isOpen && !line.isRemote) this.timer = setTimeout(() => this.show(false), OPEN_MS);
    this.store.dispatch({ type: "shown", isOpen });
  }

  refresh() {
    const { view } = this;
    if (!view) return;
    const { hand } = view;
    const mayLay = view.cards.length > 0 && !view.question && !view.game.paused;
    const mayThrow = [view.your_turn, view.can_discard];
    this.holding.hidden = this.picking.hidden = this.editor.isOpen;
    this.draw(
      [language(), hand, mayLay, mayThrow, view.expects, view.givers, this.store.state, view.photos_kept],
      mayLay ? view : { ...view, cards: [] },
    );
    // A second tap on the button that told the hand would lay a card of the pack that comes under it.
    const mayPick = mayLay && !hand.cards.length && !this.isTelling && view.expects !== "give";
    this.pick(mayPick ? view.cards : [], view.helping, t("choose-card"));
  }

  /** @type {(view: SeatView) => Children} */
  section(view) {
    const { hand } = view;
    const mayLay = view.cards.length > 0;
    const isOpen = this.store.state.isOpen && hand.cards.length > 0;
    const all = hand.cards.map(({ card }) => card);
    return h(
      "section.hand-panel",
      { testid: "hand", "aria-label": t("hand") },
      isOpen ? this.faces(view, mayLay) : this.cover(hand),
      isOpen &&
        mayLay &&
        hand.whole.map((how) =>
          tool("cards", `hand-${how}-all`, `hand-${how}-all`, () => this.actions.layWhole(how, all), "wide"),
        ),
      hand.withheld &&
        h("p.hand-note", { role: "status", testid: "hand-withheld" }, withheldWord(hand.withheld)),
      hand.received &&
        (isOpen || !all.length) &&
        h("p.hand-note", { testid: "gift-received" }, t("gift-got", { card: cardName(hand.received) })),
      hand.doubtful && h("p.hand-note", { role: "alert" }, t("hand-doubtful")),
      h("div.hand-tools", this.gift(view), this.tools(hand, isOpen)),
      this.photo && !all.length && photoKept(view.photos_kept),
    );
  }

  /** @type {(hand: HandInfo, isOpen: boolean) => Children} */
  tools(hand, isOpen) {
    const isKnown = hand.cards.length > 0;
    const begin = () => this.enter(this.view?.hand ?? hand);
    const beginWithPhoto = () => {
      begin();
      this.photo?.take();
    };
    const className = isKnown && hand.missing ? "wide" : "quiet";
    const enters = !this.view || line.entersCards(this.view);
    return [
      isOpen && tool("hide", "hand-hide", "hand-hide", () => this.show(false)),
      enters && tool("edit", enterWord(hand), "hand-enter", begin, className, { n: missingFrom(hand) }),
      this.photo && !isKnown && tool("photo", "photo-take", "hand-photo", beginWithPhoto),
      !line.isRemote &&
        tool("cards", this.store.state.asksToDeal ? "deal-sure" : "deal", "deal", () => this.deal()),
    ];
  }

  /** @type {(view: SeatView) => Children} */
  gift({ expects, givers, seat, seats }) {
    const isAsked = expects === "give" && seats.find((each) => each.seat === seat)?.team !== null;
    if (!isAsked) return null;
    const how = givers.includes(seat) ? "unnamed" : "withdrawn";
    const word = how === "unnamed" ? "gift-done" : "undo-card";
    return tool("cards", word, `gift-${how}`, () => this.actions.give(how), "wide");
  }

  deal() {
    if (this.store.state.asksToDeal) this.actions.deal();
    this.store.dispatch({ type: "dealTapped" });
  }

  /** @type {(view: SeatView, mayLay: boolean) => HTMLDivElement} */
  faces(view, mayLay) {
    // A card without a move is laid only to be thrown away, where the rules allow that.
    const isUseless = (/** @type {HandCard} */ { moves }) => view.your_turn && !moves && !view.can_discard;
    const lay = (/** @type {HandCard} */ held) =>
      isUseless(held) ? toast(t("card-useless", { card: cardName(held.card) })) : this.actions.lay(held.card);
    const one = (/** @type {HandCard} */ held) =>
      button(
        isUseless(held) ? "card-button in-hand useless" : "card-button in-hand",
        `hand-card-${held.card}`,
        [cardFace(held.card), h("span.out-of-sight", cardName(held.card)), h("small", movesWord(held.moves))],
        () => lay(held),
        { disabled: !mayLay },
      );
    return h("div.hand", view.hand.cards.map(one));
  }

  /** @param {HandInfo} hand */
  cover(hand) {
    if (!hand.cards.length) return null;
    const backs = hand.cards.map(() => h("i"));
    return button(
      "hand-cover",
      "hand-show",
      [
        h("span.backs", { "aria-hidden": "true" }, backs),
        h("span", t("hand-show", { n: hand.cards.length })),
      ],
      () => this.show(true),
    );
  }
}

/** The number of cards that this hand still lacks, 0 where it is unknown. @param {HandInfo} hand */
function missingFrom({ cards, missing, next_deal: dealt }) {
  return missing || (cards.length ? 0 : dealt);
}

/** @type {(hand: HandInfo) => Word} */
function enterWord({ cards, missing }) {
  if (!cards.length) return "hand-enter";
  if (!missing) return "hand-change";
  return missing > 1 ? "hand-enter-drawn-many" : "hand-enter-drawn";
}

/** @param {WithheldInfo} withheld */
function withheldWord({ name, computer, refused }) {
  if (computer) return t("hand-withheld-computer");
  if (!name) return t("hand-withheld-unknown");
  return t(refused ? "hand-withheld-refused" : "hand-withheld", { name });
}

/** @param {number} moves */
function movesWord(moves) {
  if (!moves) return t("moves-none");
  return t(moves > 1 ? "moves-many" : "moves-one", { n: moves });
}

/**
 * @param {IconName} sign
 * @param {Word} word
 * @param {string} testid
 * @param {() => void} onclick
 * @param {string} [className]
 * @param {Record<string, string | number>} [values]
 */
function tool(sign, word, testid, onclick, className = "quiet", values = {}) {
  const label = h("span", t(word, values));
  return button(className, testid, [icon(sign), label], onclick);
}
