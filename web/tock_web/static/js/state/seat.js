// A player's phone: the newest view, the move pointed at, the hint shown, choices in the lobby, requests in flight.

/** @import { LobbyChoice } from "../panels/lobby_choices.js" */
/** @import { BoardView, DrawnMove, SeatView, View } from "#types" */
/**
 * @typedef {object} SeatState
 * @property {SeatView | null} view
 * @property {number | null} chosen index of the legal move pointed at
 * @property {DrawnMove | null} hinted the move that a hint points at
 * @property {LobbyChoice} wanted the host's choices that the view does not show yet
 * @property {string[]} pending requests without an answer so far, as text, oldest first
 */
/**
 * @typedef {{ type: "seen", view: SeatView } | { type: "chosen", index: number | null }
 *   | { type: "hinted", move: DrawnMove | null } | { type: "wanted", choice: LobbyChoice }
 *   | { type: "waiting", pending: string[] }} SeatAction
 */

/** Prefix of a lobby request, as text. */
const PREPARING = '["prepare"';
/** @type {SeatState} */
export const NO_SEAT = { view: null, chosen: null, hinted: null, wanted: {}, pending: [] };

/** @type {(state: SeatState, action: SeatAction) => SeatState} */
export function reduceSeat(state, action) {
  switch (action.type) {
    case "seen":
      return {
        ...state,
        view: action.view,
        chosen: hasSameMoves(state.view, action.view) ? state.chosen : null,
        // A view that comes before the answer may be older than the choice.
        wanted: state.pending.some((request) => request.startsWith(PREPARING)) ? state.wanted : {},
      };
    case "chosen":
      return { ...state, chosen: action.index };
    case "hinted":
      return { ...state, hinted: action.move };
    case "wanted":
      return { ...state, wanted: { ...state.wanted, ...action.choice } };
    case "waiting":
      return { ...state, pending: action.pending };
    default:
      return state;
  }
}

/** @type {(before: SeatView | null, now: SeatView) => boolean} */
function hasSameMoves(before, now) {
  if (!before || before.card !== now.card) return false;
  return JSON.stringify(before.legal_moves) === JSON.stringify(now.legal_moves);
}

/**
 * The move on the board: a hint is drawn like a chosen move, unless the player points at one.
 * @type {(view: SeatView, state: SeatState) => { view: BoardView, chosen: number | null }}
 */
export function boardOf(view, { chosen, hinted }) {
  if (!hinted || chosen !== null) return { view, chosen };
  const at = view.legal_moves.findIndex(({ text }) => text === hinted.text);
  return at >= 0 ? { view, chosen: at } : { view: { ...view, legal_moves: [hinted] }, chosen: 0 };
}

/**
 * The move under a tap: the nearest within reach, and with each further tap the next nearest.
 *
 * @param {number[]} distances of each legal move's nearest target
 * @param {number} reach
 * @param {number | null} chosen
 */
export function tappedMove(distances, reach, chosen) {
  const near = distances
    .map((distance, index) => ({ index, distance }))
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance);
  if (!near.length) return null;
  const at = near.findIndex(({ index }) => index === chosen);
  return near[(at + 1) % near.length].index;
}

/** Whether a player may call a move finished: their own, or that of a seat that no phone plays for. */
export function mayFinish(/** @type {SeatView} */ view) {
  const mover = view.seats.find(({ seat }) => seat === view.to_move);
  return (view.your_turn || !mover?.taken) && mayDecide(view);
}

/**
 * Whether saying that a move is finished changes anything: the board shows one that nobody has judged yet.
 */
export function mayDecide(/** @type {View} */ view) {
  const { game, lobby, question, warning, seen, sources } = view;
  const isPlaying = !game.ended && !game.paused && !lobby && !question && !warning;
  const sees = sources.some(({ condition }) => condition === "ok");
  return isPlaying && sees && Object.values(seen).some(({ state }) => state !== "unknown");
}
