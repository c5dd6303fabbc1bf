// The parts of the page for broadcasts, as its address asks for them.

/** @import { BoardFile, Standing } from "#types" */

export const PARTS = /** @type {const} */ (["board", "turn", "score", "last"]);
export const PLACES = /** @type {const} */ (["bottom-left", "bottom-right", "top-left", "top-right"]);
export const SIZES = /** @type {const} */ ([30, 45, 60, 90]);
const LEAST = 10;
const MOST = 100;

/** @typedef {{ show: readonly string[], at: string, size: number }} OverlayParts */

/** Whatever an address lacks, or says wrongly, is as usual. @type {(search: string) => OverlayParts} */
export function askedOf(search) {
  const asked = new URLSearchParams(search);
  const show = asked.get("show")?.split(",") ?? PARTS;
  const at = PLACES.find((place) => place === asked.get("at")) ?? PLACES[0];
  const size = Number(asked.get("size")) || SIZES[1];
  return { show, at, size: Math.min(MOST, Math.max(LEAST, size)) };
}

/** @type {(parts: OverlayParts) => string} */
export function addressOf({ show, at, size }) {
  return `/overlay?show=${show.join(",")}&at=${at}&size=${size}`;
}

/** The number of pawns that each seat has at home. @type {(boardFile: BoardFile, holes: Standing) => Record<string, number>} */
export function homeCounts({ holes: all }, holes) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { id, kind, seat } of all) {
    if (kind === "home" && seat && holes[id] === seat) counts[seat] = (counts[seat] ?? 0) + 1;
  }
  return counts;
}
