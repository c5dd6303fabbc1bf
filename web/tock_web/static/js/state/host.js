// The host's page: the newest view, and the new game as it is being chosen.

/** @import { HostView, RulesetRow, SeatName, View } from "#types" */
/**
 * @typedef {object} HostState
 * @property {HostView | null} view
 * @property {RulesetRow[]} rulesets
 * @property {string} ruleset
 * @property {number} players
 * @property {SeatName | null} first who moves first; null while nobody knows the seats
 */
/**
 * @typedef {{ type: "seen", view: HostView } | { type: "fetched", rulesets: RulesetRow[] }
 *   | { type: "chosen", ruleset: string } | { type: "chosen", players: number }
 *   | { type: "chosen", first: SeatName }} HostAction
 */

/** @type {(zones: number) => HostState} */
export function newHost(zones) {
  return { view: null, rulesets: [], ruleset: "", players: zones, first: null };
}

/** @type {(state: HostState, action: HostAction) => HostState} */
export function reduceHost(state, action) {
  switch (action.type) {
    case "seen":
      return { ...state, view: action.view };
    case "fetched": {
      const { rulesets } = action;
      const ruleset = state.view?.game.ruleset ?? rulesets[0]?.name ?? "";
      return possible({ ...state, rulesets, ruleset });
    }
    case "chosen": {
      const { type: _, ...chosen } = action;
      return possible({ ...state, ...chosen });
    }
    default:
      return state;
  }
}

/** The numbers of players that a ruleset allows. @param {HostState} state */
export function playerCounts(state) {
  return Object.keys(seatsByCount(state)).map(Number);
}

/** The seats that play with the chosen number of players. @param {HostState} state */
export function playingSeats(state) {
  return seatsByCount(state)[state.players] ?? [];
}

/** @type {(state: HostState) => RulesetRow["players"]} */
function seatsByCount({ rulesets, ruleset }) {
  return rulesets.find(({ name }) => name === ruleset)?.players ?? {};
}

/**
 * Adjust choices that a new one rules out: a number of players, or a first player who no longer plays.
 * @type {(state: HostState) => HostState}
 */
function possible(state) {
  const counts = playerCounts(state);
  const players =
    counts.length && !counts.includes(state.players) ? counts[counts.length - 1] : state.players;
  const seats = playingSeats({ ...state, players });
  const first = state.first !== null && seats.includes(state.first) ? state.first : (seats[0] ?? null);
  return { ...state, players, first };
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
