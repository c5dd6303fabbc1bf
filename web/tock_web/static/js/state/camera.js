// A camera phone: its permission, the newest reading, and the rate and quality of its pictures.

/** @import { PhoneAsked, PictureSeen, Text } from "#types" */
/** @typedef {"start" | "permission" | "waiting" | "sending" | "denied" | "refused" | "ended"} CameraPhase */
/**
 * @typedef {object} CameraState
 * @property {CameraPhase} phase
 * @property {boolean} isLost the companion does not answer
 * @property {{ offsetMs: number, roundMs: number, atMs: number } | null} clock from the phone's clock to the table's
 * @property {PictureSeen | null} seen
 * @property {Partial<Text> | null} complaint the reason why the companion refused the last picture
 * @property {number} mistimedMs since when pictures have had a time that cannot be; infinite while they have not
 * @property {number} movedMs when the picture last changed
 * @property {number} quality of the JPEG, 0 to 1
 * @property {{ atMs: number, bytes: number }[]} sent in the last second
 */
/**
 * @typedef {{ type: "phase", phase: CameraPhase } | { type: "unanswered" } | { type: "moved", atMs: number }
 *   | { type: "asked", answer: PhoneAsked, sentMs: number, answeredMs: number }
 *   | { type: "seen", seen: PictureSeen, bytes: number, sentMs: number, answeredMs: number }
 *   | { type: "complaint", message: Partial<Text> | null } | { type: "mistimed", message: Partial<Text> | null, atMs: number }} CameraAction
 */

/** Useful rates of pictures: while the board is still, and while a hand is over it. */
export const STILL_MS = 333;
export const MOVING_MS = 100;
/** A hand that pauses for this long over the board is still playing. */
const MOVES_FOR_MS = 1_500;
/** A weak Wi-Fi has others to serve. */
const MAX_BYTES_PER_S = 2_000_000;
const ROOMY_BYTES_PER_S = 1_200_000;
const SLOW_MS = 400;
const QUICK_MS = 150;
const BEST = 0.85;
const WORST = 0.4;
const STEP = 0.07;
/** Boards that are laid one after the other each begin a new time; a slow machine takes a second or two for one. */
const MISTIMED_FOR_MS = 3_000;
/** An old measurement of the clock is replaced even by a less certain one: clocks drift. */
const CLOCK_AGES_MS = 60_000;
const WINDOW_MS = 1_000;
/** Difference between two samples, in grey levels of one cell, beyond the grain of a sensor. */
const MIN_CHANGE = 14;

/** @type {CameraState} */
export const NO_CAMERA = {
  phase: "start",
  isLost: false,
  clock: null,
  seen: null,
  complaint: null,
  mistimedMs: Infinity,
  movedMs: -Infinity,
  quality: BEST,
  sent: [],
};

/** @type {(state: CameraState, action: CameraAction) => CameraState} */
export function reduceCamera(state, action) {
  switch (action.type) {
    case "phase":
      return { ...state, phase: action.phase, seen: action.phase === "sending" ? state.seen : null };
    case "unanswered":
      return { ...state, isLost: true };
    case "moved":
      return { ...state, movedMs: action.atMs };
    case "asked":
      return asked({ ...state, isLost: false }, action);
    case "seen":
      return paced(
        { ...state, isLost: false, mistimedMs: Infinity, seen: action.seen, complaint: null },
        action,
      );
    case "complaint":
      return { ...state, isLost: false, complaint: action.message };
    case "mistimed":
      return mistimed({ ...state, isLost: false }, action);
    default:
      return state;
  }
}

/**
 * Take in the permission and the table's clock.
 *
 * @param {CameraState} state
 * @param {{ answer: PhoneAsked, sentMs: number, answeredMs: number }} action
 * @returns {CameraState}
 */
function asked(state, { answer, sentMs, answeredMs }) {
  const roundMs = answeredMs - sentMs;
  const known = state.clock;
  const isSurer = !known || roundMs <= known.roundMs || answeredMs - known.atMs > CLOCK_AGES_MS;
  // The answer is half a round trip old.
  const offsetMs = answer.now_ms - (sentMs + answeredMs) / 2;
  const clock = isSurer ? { offsetMs, roundMs, atMs: answeredMs } : known;
  const phase = /** @type {const} */ ({ asking: "waiting", let_in: "sending", refused: "refused" })[
    answer.state
  ];
  return { ...state, clock, phase };
}

/**
 * Measure the clock again: the table's begins at zero whenever another board is laid. Only times that stay wrong are
 * worth a word.
 * @type {(state: CameraState, action: { message: Partial<Text> | null, atMs: number }) => CameraState}
 */
function mistimed(state, { message, atMs }) {
  const mistimedMs = Math.min(state.mistimedMs, atMs);
  return {
    ...state,
    clock: null,
    mistimedMs,
    complaint: atMs - mistimedMs > MISTIMED_FOR_MS ? message : null,
  };
}

/**
 * Send smaller pictures where the network is full or slow, and better ones again where it is not.
 * @type {(state: CameraState, action: { bytes: number, sentMs: number, answeredMs: number }) => CameraState}
 */
function paced(state, { bytes, sentMs, answeredMs }) {
  const tookMs = answeredMs - sentMs;
  const perS = bytes * (1_000 / MOVING_MS);
  const isFull = perS > MAX_BYTES_PER_S || tookMs > SLOW_MS;
  const isRoomy = perS < ROOMY_BYTES_PER_S && tookMs < QUICK_MS;
  const change = isFull ? -STEP : isRoomy ? STEP : 0;
  const quality = Math.min(BEST, Math.max(WORST, state.quality + change));
  const sent = [...state.sent, { atMs: answeredMs, bytes }].filter(
    ({ atMs }) => answeredMs - atMs < WINDOW_MS,
  );
  return { ...state, quality, sent };
}

/**
 * The page's activity, for people and for tests.
 * @type {(state: CameraState) => "asking" | "live" | "searching" | "refused" | "lost"}
 */
export function shownState({ phase, isLost, seen }) {
  if (phase === "denied" || phase === "refused") return "refused";
  if (phase === "start" || phase === "permission") return "asking";
  if (isLost || phase === "ended") return "lost";
  if (phase === "waiting") return "asking";
  return seen && seen.outline.length ? "live" : "searching";
}

/**
 * Whether the next picture is due.
 *
 * @param {CameraState} state
 * @param {number} lastMs when the last one was taken
 * @param {number} nowMs
 */
export function isDue({ movedMs, sent }, lastMs, nowMs) {
  const full = sent.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES_PER_S;
  const every = nowMs - movedMs < MOVES_FOR_MS && !full ? MOVING_MS : STILL_MS;
  // Samples come at about the rhythm of moving pictures; one that is a little early counts.
  return nowMs - lastMs >= every - MOVING_MS / 3;
}

/**
 * The time of a picture on the table's clock; null while that is unknown.
 *
 * @param {CameraState} state
 * @param {number} atMs on the phone's clock
 */
export function tableTime({ clock }, atMs) {
  return clock ? Math.max(0, Math.round(atMs + clock.offsetMs)) : null;
}

/**
 * Whether two samples of the picture differ: mean grey levels of the same cells.
 * @type {(now: Uint8Array, before: Uint8Array | null) => boolean}
 */
export function differs(now, before) {
  return !before || now.some((level, index) => Math.abs(level - before[index]) >= MIN_CHANGE);
}

/**
 * The size of the picture to send: the whole frame, no larger than the reader needs.
 * @type {(width: number, height: number) => { width: number, height: number }}
 */
export function sentSize(width, height) {
  const scale = Math.min(1, 1280 / Math.max(width, height), 960 / Math.min(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
