// State of a club's evening as it is shown.

/** @import { HallGame, HallView, StandingRow, TablesView } from "#types" */

/**
 * @typedef {object} EveningState
 * @property {HallView | null} hall
 * @property {readonly StandingRow[]} standings
 * @property {number | null} endsMs when the round's time is up, by this device's clock
 * @property {string} name who reads this
 */
/**
 * @typedef {{ type: "hall", hall: HallView, nowMs: number } | { type: "standings", rows: readonly StandingRow[] }
 *   | { type: "named", name: string }} EveningAction
 */

/** @type {EveningState} */
export const NO_EVENING = { hall: null, standings: [], endsMs: null, name: "" };

/** @type {(state: EveningState, action: EveningAction) => EveningState} */
export function reduceEvening(state, action) {
  if (action.type === "hall") {
    const left = action.hall.left_s;
    return { ...state, hall: action.hall, endsMs: left === null ? null : action.nowMs + 1000 * left };
  }
  if (action.type === "standings") return { ...state, standings: action.rows };
  return { ...state, name: action.name };
}

/** The round with the tables that have changed. @type {(hall: HallView, news: TablesView) => HallView} */
export function withTables(hall, { revision, left_s, games }) {
  const changed = new Map(games.map((game) => [game.table, game]));
  return { ...hall, revision, left_s, games: hall.games.map((game) => changed.get(game.table) ?? game) };
}

/** A name as it is compared, whatever its capitals, accents and spaces. @param {string} name */
const folded = (name) =>
  name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().split(/\s+/).join(" ").trim();

/**
 * The names of the round that somebody may mean who types: the name as it is, else those with a word that begins so.
 * @type {(hall: HallView, typed: string) => string[]}
 */
export function meantBy(hall, typed) {
  const wanted = folded(typed);
  const names = [
    ...hall.games.flatMap(({ sides }) => sides.flat()),
    ...hall.byes.flatMap((out) => out.split(" & ")),
  ];
  const same = names.filter((name) => folded(name) === wanted);
  return same.length ? same : names.filter((name) => ` ${folded(name)}`.includes(` ${wanted}`));
}

/**
 * Somebody's place in the present round: a table, a bye, or null for nowhere.
 * @type {(hall: HallView, name: string) => HallGame | "bye" | null}
 */
export function placeOf(hall, name) {
  const game = hall.games.find((each) => each.sides.some((side) => side.includes(name)));
  if (game) return game;
  return hall.byes.some((out) => out.split(" & ").includes(name)) ? "bye" : null;
}
