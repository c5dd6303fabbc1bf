// Views as the companion sends them, each changed as its test needs.

/** @import { SeatView, ViewOf } from "#types" */

/** A hand of which the companion knows nothing. @type {SeatView["hand"]} */
export const UNKNOWN_HAND = {
  cards: [],
  missing: null,
  doubtful: false,
  whole: [],
  next_deal: 4,
  packs: 1,
  received: null,
  withheld: null,
};

/** A view of a seat in the middle of a game. @type {(changes?: Partial<SeatView>) => SeatView} */
export function seatView(changes = {}) {
  return {
    revision: 1,
    game: { ruleset: "mjc", options: {}, seq: 7, paused: false, mode: "coach", ended: false, winner: null },
    board: { id: "0123456789abcdef", name: "4 zones", zones: 4 },
    seats: ["P0", "P1", "P2", "P3"].map((seat, index) => ({
      seat,
      name: index === 0 ? "Anna" : "",
      color: ["red", "blue", "yellow", "green"][index],
      taken: index === 0,
      computer: null,
      team: index % 2,
      cards: null,
    })),
    to_move: "P0",
    card: null,
    planned: null,
    stored_moves: {},
    expects: "card",
    recording: false,
    sentence: { fr: "À Anna : posez une carte.", en: "Anna: lay a card." },
    holes: { T4: "P0", T26: "P1" },
    places: {},
    seen: {},
    last_move: null,
    warning: null,
    guidance: null,
    givers: [],
    question: null,
    lobby: null,
    indices: "english",
    host: null,
    absent: null,
    practice: null,
    far: null,
    proposal: null,
    health: [],
    sources: [],
    history: [],
    role: "seat",
    seat: "P0",
    your_turn: true,
    can_undo: false,
    undo_asks: null,
    can_discard: false,
    can_end_turn: false,
    by_touch: false,
    photos_kept: false,
    cards: [],
    helping: [],
    hand: UNKNOWN_HAND,
    wishes: [],
    may_take_back: false,
    legal_moves: [],
    ...changes,
  };
}

/** @type {(changes?: Partial<ViewOf["host"]>) => ViewOf["host"]} */
export function hostView(changes = {}) {
  const { seat: _, hand: _hand, cards: _cards, legal_moves: _moves, ...shared } = seatView();
  return { ...shared, role: "host", ...changes };
}

/**
 * @param {string} from
 * @param {string} to
 * @param {Partial<SeatView["legal_moves"][number]>} [changes]
 * @returns {SeatView["legal_moves"][number]}
 */
export function move(from, to, changes = {}) {
  return {
    text: `P0:${from}>${to}`,
    label: { fr: "", en: "" },
    targets: [to],
    arrows: [{ from, to, seat: "P0", kind: "move" }],
    captures: [],
    by_touch: false,
    ...changes,
  };
}

/** @type {(changes?: Partial<NonNullable<SeatView["warning"]>>) => NonNullable<SeatView["warning"]>} */
export function warning(changes = {}) {
  return {
    tone: "wrong",
    breaks: ["R004-25"],
    code: "move/too_far",
    seat: "P0",
    message: { fr: "Trop loin.", en: "Too far." },
    others: { fr: "Trop loin.", en: "Too far." },
    repair: [],
    wrong: [],
    right: [],
    nearest: [],
    leads_on: false,
    otherwise: [],
    spots: [],
    may_pass: false,
    ...changes,
  };
}

/**
 * The state after some actions.
 *
 * @template S
 * @template A
 * @param {(state: S, action: A) => S} reduce
 * @param {S} state
 * @param {...A} actions
 */
export function after(reduce, state, ...actions) {
  return actions.reduce(reduce, state);
}
