// The player's own hand on the phone: open or covered, entered card by card, read from a photo.

/** @import { CardName, HandInfo, PhotographedCard } from "#types" */

/** @typedef {{ isOpen: boolean, asksToDeal: boolean }} HandState */
/** @typedef {{ type: "shown", isOpen: boolean } | { type: "dealTapped" }} HandAction */

/** @type {HandState} */
export const COVERED = { isOpen: false, asksToDeal: false };

/** @type {(state: HandState, action: HandAction) => HandState} */
export function reduceHand(state, action) {
  if (action.type === "shown") return { ...state, isOpen: action.isOpen };
  // A new deal forgets everybody's hand, so it takes two taps.
  return { ...state, asksToDeal: !state.asksToDeal };
}

/**
 * @typedef {object} EditorState
 * @property {CardName[] | null} cards those chosen so far; null while the editor is closed
 * @property {number} wanted how many there should be, 0 where nobody knows
 * @property {number} packs how many equal cards there may be
 * @property {boolean} isSure asked whether there are really more cards than were dealt
 */
/**
 * @typedef {{ type: "begun", hand: HandInfo, missing: number }
 *   | { type: "tapped", card: CardName }
 *   | { type: "removed", index: number }
 *   | { type: "chosen", cards: CardName[] }
 *   | { type: "swapped", card: CardName, other: CardName | null }
 *   | { type: "doubted" }
 *   | { type: "closed" }} EditorAction
 */

/** @type {EditorState} */
export const CLOSED_EDITOR = { cards: null, wanted: 0, packs: 1, isSure: false };

/** @type {(state: EditorState, action: EditorAction) => EditorState} */
export function reduceEditor(state, action) {
  if (action.type === "begun") {
    const cards = action.hand.cards.map(({ card }) => card);
    // Drawn cards come on top of the known ones; a hand entered from scratch has as many as were dealt.
    const more = action.hand.missing || !cards.length ? action.missing : 0;
    return { cards, wanted: cards.length + more, packs: action.hand.packs, isSure: false };
  }
  const { cards } = state;
  if (!cards) return state;
  switch (action.type) {
    case "tapped": {
      const count = cards.filter((card) => card === action.card).length;
      const others = cards.filter((card) => card !== action.card);
      return { ...state, cards: count < state.packs ? [...cards, action.card] : others };
    }
    case "removed":
      return { ...state, cards: cards.filter((_, index) => index !== action.index) };
    case "chosen":
      return { ...state, cards: action.cards };
    case "swapped":
      return { ...state, cards: swapped(cards, action.card, action.other) };
    case "doubted":
      return { ...state, isSure: true };
    case "closed":
      return { ...state, cards: null };
    default:
      return state;
  }
}

/**
 * Replace a chosen card by another, or by none.
 * @type {(cards: CardName[], card: CardName, other: CardName | null) => string[]}
 */
function swapped(cards, card, other) {
  const at = cards.indexOf(card);
  if (at < 0) return cards;
  return [...cards.slice(0, at), ...(other ? [other] : []), ...cards.slice(at + 1)];
}

/**
 * @typedef {object} PhotoState
 * @property {boolean} isReading
 * @property {PhotographedCard[]} questions cards that the player must decide
 * @property {number} round grows with every photo, so that a late answer to an older one counts no more
 * @property {number} unread how many cards are seen in the photo that could not be read
 * @property {boolean} isKept the host keeps photos for a report
 */
/**
 * @typedef {{ type: "sent" } | { type: "forgotten" }
 *   | { type: "read", round: number, cards: PhotographedCard[], unread: number }
 *   | { type: "answered", question: PhotographedCard }
 *   | { type: "kept", isKept: boolean }} PhotoAction
 */

/** @type {PhotoState} */
export const NO_PHOTO = { isReading: false, questions: [], unread: 0, round: 0, isKept: false };

/** @type {(state: PhotoState, action: PhotoAction) => PhotoState} */
export function reducePhoto(state, action) {
  switch (action.type) {
    case "sent":
      return { ...state, isReading: true, questions: [], unread: 0, round: state.round + 1 };
    case "read":
      // Meanwhile the editor was closed or another photo taken.
      if (action.round !== state.round) return state;
      return {
        ...state,
        isReading: false,
        questions: action.cards.filter(({ choices }) => choices.length),
        unread: action.unread,
      };
    case "answered":
      return { ...state, questions: state.questions.filter((question) => question !== action.question) };
    case "forgotten":
      return { ...state, isReading: false, questions: [], unread: 0, round: state.round + 1 };
    case "kept":
      return state.isKept === action.isKept ? state : { ...state, isKept: action.isKept };
    default:
      return state;
  }
}
