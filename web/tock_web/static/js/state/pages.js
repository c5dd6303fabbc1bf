// State of the smaller pages: start page, simulated table.

/** @import { SeatName, TableView } from "#types" */

/**
 * @typedef {object} JoinState
 * @property {TableView | null} view
 * @property {SeatName | null} seat
 * @property {string} name of the person who holds this phone, where it knows
 * @property {boolean} isUnfolded
 * @property {boolean} begins the newest view is the first after the lobby
 */
/**
 * @typedef {{ type: "seen", view: TableView } | { type: "picked", seat: SeatName }
 *   | { type: "unfolded" }} JoinAction
 */

/** @type {JoinState} */
export const NO_JOIN = { view: null, seat: null, name: "", isUnfolded: false, begins: false };

/** @type {(state: JoinState, action: JoinAction) => JoinState} */
export function reduceJoin(state, action) {
  if (action.type === "seen") {
    const begins = Boolean(state.view?.lobby) && !action.view.lobby;
    return {
      ...state,
      view: action.view,
      begins,
      seat: state.view ? state.seat : ownSeat(state, action.view),
    };
  }
  if (action.type === "picked") return { ...state, seat: action.seat };
  return { ...state, isUnfolded: true };
}

/**
 * The seat that is picked at first: that of this phone's person, else its seat of last time while it is free.
 * @type {(state: JoinState, view: TableView) => SeatName | null}
 */
function ownSeat({ seat, name }, { seats }) {
  const mine = seats.find((entry) => entry.taken && name && entry.name === name);
  const last = seats.find((entry) => entry.seat === seat && !entry.taken && !entry.computer);
  return (mine ?? last)?.seat ?? null;
}

/** Whether the picked seat is taken. @param {JoinState} state */
export function isTaken({ view, seat }) {
  return Boolean(view?.seats.find((entry) => entry.seat === seat)?.taken);
}

/** Whether every seat is taken. @param {JoinState} state */
export function isFull({ view }) {
  return Boolean(view?.seats.every((entry) => entry.taken));
}

/** Whether the form is folded: once every seat is taken, the screen belongs to the game. @param {JoinState} state */
export function isFolded(state) {
  return isFull(state) && state.seat === null && !state.isUnfolded;
}

/**
 * @typedef {object} SimState
 * @property {TableView | null} view
 * @property {SeatName | null} seat that lays the next card; null while it is simply whose turn it is
 */
/** @typedef {{ type: "seen", view: TableView } | { type: "seatChosen", seat: SeatName }} SimAction */

/** @type {SimState} */
export const NO_SIM = { view: null, seat: null };

/** @type {(state: SimState, action: SimAction) => SimState} */
export function reduceSim(state, action) {
  if (action.type === "seatChosen") return { ...state, seat: action.seat };
  const isNextTurn = state.view !== null && action.view.to_move !== state.view.to_move;
  return { view: action.view, seat: isNextTurn ? null : state.seat };
}
