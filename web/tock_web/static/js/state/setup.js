// The set-up: the present step and the reports of the table.

/** @import { HostView, Learned, SeatName, Text } from "#types" */

/** The camera's answer after it was shown the board. */
/** @typedef {{ ok: true, shows: Shown } & Learned | { ok: false, message: Text | undefined }} LearnedAnswer */
/** @typedef {"empty" | "camps"} Shown the scene on the board while the camera learns */
/**
 * @typedef {object} SetupState
 * @property {number} at index of the step
 * @property {HostView | null} view
 * @property {number} phones besides this one
 * @property {number} moved how often the board has changed in the last step
 * @property {number} cards laid since the set-up was opened
 * @property {Shown | null} learning the scene that the camera is learning now
 * @property {LearnedAnswer | null} learned
 */
/** @typedef {Partial<SetupState> | { view: HostView, isOpen: boolean, countsMoves: boolean }} SetupAction */

/** @type {SetupState} */
export const NO_SETUP = { at: 0, view: null, phones: 0, moved: 0, cards: 0, learning: null, learned: null };

/**
 * Take in new values, or a new view: while the set-up is open, its cards and moves are counted.
 * @type {(state: SetupState, action: SetupAction) => SetupState}
 */
export function reduceSetup(state, action) {
  if (!("isOpen" in action)) return { ...state, ...action };
  const { view, isOpen, countsMoves } = action;
  const before = state.view;
  if (!isOpen || !before) return { ...state, view };
  const isLaid = view.card !== null && view.card !== before.card;
  const isMoved =
    Object.values(view.seen).some((hole) => hole.state === "pawn") &&
    JSON.stringify(view.seen) !== JSON.stringify(before.seen);
  return {
    ...state,
    view,
    cards: state.cards + (isLaid ? 1 : 0),
    moved: state.moved + (countsMoves && isMoved ? 1 : 0),
  };
}

/** Count the holes that the camera cannot see. @param {Pick<HostView, "seen">} view */
export function occludedCount(view) {
  return Object.values(view.seen).filter(({ state }) => state === "unknown").length;
}

/**
 * Count a seat's pawns that are missing from their hole or seen in a wrong one.
 * @type {(view: Pick<HostView, "seen" | "holes">, seat: SeatName) => number}
 */
export function misplacedCount(view, seat) {
  return Object.entries(view.seen).filter(
    ([hole, look]) =>
      (look.state === "empty" && view.holes[hole] === seat) || (look.state === "pawn" && look.seat === seat),
  ).length;
}
