// The stream of a club's evening: the whole round first, then the tables that have changed.

import { Stream, pauseAfter } from "../core/stream.js";
import { withTables } from "./state.js";

/** @import { HallView, StandingRow, StandingsView, TablesView } from "#types" */

/** A hall has hundreds of phones, and a busy desk cannot serve all of them every second. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000];

/**
 * @typedef {object} Listeners
 * @property {(state: "live" | "lost") => void} state
 * @property {(hall: HallView) => void} hall
 * @property {(rows: readonly StandingRow[]) => void} [standings]
 */

/**
 * Follows the news of a club's screen, and starts from a whole snapshot whenever the stream comes back.
 *
 * @param {string} url
 * @param {(state: "lost") => void} onState
 * @param {Record<string, (data: unknown) => void>} news by the name of the event
 */
export function keepUp(url, onState, news) {
  const lost = () => onState("lost");
  const failed = (/** @type {number} */ attempt) => {
    lost();
    return pauseAfter(RETRY_MS, attempt);
  };
  return new Stream(url, { news, silent: lost, failed });
}

/** @param {Listeners} listeners */
export function follow(listeners) {
  /** @type {HallView | null} */
  let hall = null;
  const show = (/** @type {HallView} */ now) => {
    hall = now;
    listeners.state("live");
    listeners.hall(now);
  };
  return keepUp("/api/v1/desk/events", listeners.state, {
    hall: (data) => show(/** @type {HallView} */ (data)),
    tables: (data) => {
      if (hall) show(withTables(hall, /** @type {TablesView} */ (data)));
    },
    standings: (data) => listeners.standings?.(/** @type {StandingsView} */ (data).rows),
  });
}

/**
 * Sends one request at a time: further calls in the meantime become one more request after a pause.
 * @type {(pauseMs: number, ask: () => Promise<void>) => () => Promise<void>}
 */
export function oneAtATime(pauseMs, ask) {
  let isAsking = false;
  let again = false;
  return async function run() {
    again = isAsking;
    if (isAsking) return;
    isAsking = true;
    try {
      await ask();
    } finally {
      isAsking = false;
      if (again) setTimeout(run, pauseMs);
    }
  };
}
