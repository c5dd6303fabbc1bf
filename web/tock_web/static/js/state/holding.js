// When a phone's automatics may work, and when they are held: never at work while anything moves on the board.

/**
 * @typedef {object} Holding
 * @property {"follows" | "held"} phase
 * @property {number} sinceMs
 * @property {{ atMs: number, stops: number } | null} steady since when the light of the picture has been the same
 * @property {number | null} heldStops its light when it was last held
 * @property {boolean} isHalfSettled something moved before it had settled
 */
/**
 * @typedef {object} Glance
 * @property {number} atMs
 * @property {number} stops light of the picture
 * @property {boolean} isSeen whether the board is found in it
 * @property {number} movedMs when something last moved
 */

const GAMMA = 2.2;
const WHITE = 255;
const STEADY_MS = 1_500;
const SETTLED_BY_MS = 12_000;
const STEADY_STOPS = 0.12;
/** A lamp was switched on, or evening has come; less is made up for by the reader. */
const ROOM_STOPS = 0.7;
/** Longer than the referee ever waits for a move. */
const REST_MS = 8_000;
/** A picture that has just been let go changes all over, which is no movement. */
const LET_GO_MS = 1_000;

/** Automatics that were just let go. @type {(atMs: number, heldStops?: number | null) => Holding} */
export function letGo(atMs, heldStops = null) {
  return { phase: "follows", sinceMs: atMs, steady: null, heldStops, isHalfSettled: false };
}

/** The state after a glance at the picture. @type {(holding: Holding, glance: Glance) => Holding} */
export function watched(holding, glance) {
  return holding.phase === "held" ? kept(holding, glance) : settling(holding, glance);
}

/** @type {(holding: Holding, glance: Glance) => Holding} */
function kept(holding, { atMs, stops, isSeen, movedMs }) {
  const isOther = Math.abs(stops - (holding.heldStops ?? stops)) >= ROOM_STOPS;
  const isAtRest = isSeen && atMs - movedMs >= REST_MS;
  return isAtRest && (isOther || holding.isHalfSettled) ? letGo(atMs, holding.heldStops) : holding;
}

/** @type {(holding: Holding, glance: Glance) => Holding} */
function settling(holding, { atMs, stops, isSeen, movedMs }) {
  const isPlaying = holding.heldStops !== null && movedMs > holding.sinceMs + LET_GO_MS;
  if (isPlaying) return { ...holding, phase: "held", heldStops: stops, isHalfSettled: true };
  if (!isSeen) return holding;
  const isSame = holding.steady !== null && Math.abs(stops - holding.steady.stops) <= STEADY_STOPS;
  const steady = isSame && holding.steady ? holding.steady : { atMs, stops };
  const isSettled = atMs - steady.atMs >= STEADY_MS || atMs - holding.sinceMs >= SETTLED_BY_MS;
  return isSettled
    ? { ...holding, phase: "held", steady, heldStops: stops, isHalfSettled: false }
    : { ...holding, steady };
}

/**
 * The light of a picture in stops; 0 is white, all else below.
 *
 * @param {Uint8Array} look mean grey levels of its cells
 */
export function stopsOf(look) {
  const middle = look.slice().sort()[look.length >> 1];
  return GAMMA * Math.log2(Math.max(middle, 1) / WHITE);
}

/** @typedef {"exposure" | "colors" | "focus"} Automatic */
/** @type {Record<Automatic, { mode: string, values: string[] }>} */
const AUTOMATICS = {
  exposure: { mode: "exposureMode", values: ["exposureTime", "iso"] },
  colors: { mode: "whiteBalanceMode", values: ["colorTemperature"] },
  focus: { mode: "focusMode", values: ["focusDistance"] },
};

/**
 * Constraints for a track that hold its automatics at their present values, or let them work again.
 *
 * @param {Record<string, unknown>} capabilities of the track
 * @param {Record<string, unknown>} settings it has now
 * @param {boolean} isHeld
 * @returns {Record<string, unknown>[]} one set for each automatic: phones refuse a set as a whole
 */
export function constraintsFor(capabilities, settings, isHeld) {
  const wanted = isHeld ? "manual" : "continuous";
  return Object.values(AUTOMATICS)
    .filter(({ mode }) => modesOf(capabilities[mode]).includes(wanted))
    .map(({ mode, values }) => ({
      [mode]: wanted,
      ...Object.fromEntries(
        values
          .filter((value) => isHeld && capabilities[value] && settings[value] !== undefined)
          .map((value) => [value, settings[value]]),
      ),
    }));
}

/**
 * The automatics that a track goes on changing although it was to hold still.
 *
 * @param {Record<string, unknown>} capabilities
 * @param {Record<string, unknown>} settings after it was asked
 * @returns {Automatic[]}
 */
export function freeOf(capabilities, settings) {
  return /** @type {Automatic[]} */ (Object.keys(AUTOMATICS)).filter((automatic) => {
    const { mode } = AUTOMATICS[automatic];
    // A browser that tells nothing of the focus has a lens without a motor, or keeps it to itself: no use to complain.
    if (automatic === "focus" && capabilities[mode] === undefined) return false;
    return settings[mode] !== "manual" && settings[mode] !== "none";
  });
}

/** @param {unknown} modes */
function modesOf(modes) {
  return Array.isArray(modes) ? modes : [];
}
