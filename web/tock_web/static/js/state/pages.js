// State of the smaller pages: start page, simulated table, machine.

/** @import { FindingRow, SeatName, Settings, TableView } from "#types" */

/**
 * @typedef {object} JoinState
 * @property {TableView | null} view
 * @property {SeatName | null} seat
 * @property {boolean} isUnfolded
 * @property {boolean} begins the newest view is the first after the lobby
 */
/**
 * @typedef {{ type: "seen", view: TableView } | { type: "picked", seat: SeatName }
 *   | { type: "unfolded" }} JoinAction
 */

/** @type {JoinState} */
export const NO_JOIN = { view: null, seat: null, isUnfolded: false, begins: false };

/** @type {(state: JoinState, action: JoinAction) => JoinState} */
export function reduceJoin(state, action) {
  if (action.type === "seen") {
    const begins = Boolean(state.view?.lobby) && !action.view.lobby;
    // This phone's seat of last time stays picked while it is free.
    const mine = action.view.seats.find(({ seat }) => seat === state.seat);
    const seat = state.view || (mine && !mine.taken && !mine.computer) ? state.seat : null;
    return { ...state, view: action.view, begins, seat };
  }
  if (action.type === "picked") return { ...state, seat: action.seat };
  return { ...state, isUnfolded: true };
}

/** Whether the picked seat is taken. @param {JoinState} state */
export function isTaken({ view, seat }) {
  return Boolean(view?.seats.find((entry) => entry.seat === seat)?.taken);
}

/** Whether a computer plays for the picked seat; before the game begins nobody does. */
export function isComputers(/** @type {JoinState} */ { view, seat }) {
  return !view?.lobby && Boolean(view?.seats.find((entry) => entry.seat === seat)?.computer);
}

/** Whether the form is folded: once every seat is taken, the screen belongs to the game. */
export function isFolded(/** @type {JoinState} */ { view, seat, isUnfolded }) {
  return Boolean(view?.seats.every((entry) => entry.taken)) && seat === null && !isUnfolded;
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

/** @typedef {{ findings: FindingRow[] | null, settings: Settings | null }} MachineState */

/** @type {MachineState} */
export const NO_MACHINE = { findings: null, settings: null };

/** @type {(state: MachineState, change: Partial<MachineState>) => MachineState} */
export function reduceMachine(state, change) {
  return { ...state, ...change };
}
