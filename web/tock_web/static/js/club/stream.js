// The stream of a club's evening: the whole round first, then the tables that have changed.

import { withTables } from "../state/club.js";

/** @import { HallView, StandingRow } from "#types" */

/**
 * @typedef {object} Listeners
 * @property {(state: "live" | "lost") => void} state
 * @property {(hall: HallView) => void} hall
 * @property {(rows: readonly StandingRow[]) => void} [standings]
 */

/**
 * The browser reopens the stream by itself whenever it breaks; it begins with the whole round then.
 *
 * @param {Listeners} listeners
 */
export function follow(listeners) {
  /** @type {HallView | null} */
  let hall = null;
  const source = new EventSource("/api/v1/desk/events");
  const show = (/** @type {HallView} */ now) => {
    hall = now;
    listeners.state("live");
    listeners.hall(now);
  };
  source.addEventListener("hall", (event) => show(JSON.parse(event.data)));
  source.addEventListener("tables", (event) => {
    if (hall) show(withTables(hall, JSON.parse(event.data)));
  });
  source.addEventListener("standings", (event) => listeners.standings?.(JSON.parse(event.data).rows));
  source.addEventListener("error", () => listeners.state("lost"));
}

/**
 * Asks one at a time: what is wanted meanwhile is asked for once more, a pause later.
 *
 * @param {number} pauseMs
 * @param {() => Promise<void>} ask
 */
export function oneAtATime(pauseMs, ask) {
  let isAsking = false;
  let again = false;
  return async function run() {
    again = isAsking;
    if (isAsking) return;
    isAsking = true;
    await ask();
    isAsking = false;
    if (again) setTimeout(run, pauseMs);
  };
}
