// The boards in dialogs: a game to step through, and a position corrected by hand.

/** @import { Change, HoleId, Point, ReplayStep, SeatName, Standing } from "#types" */

/** @typedef {{ steps: ReplayStep[], at: number, isPlaying: boolean }} ReplayState */
/**
 * @typedef {{ type: "opened", steps: ReplayStep[] } | { type: "went", to: number }
 *   | { type: "playTapped" } | { type: "closed" }} ReplayAction
 */

/** @type {ReplayState} */
export const NO_REPLAY = { steps: [], at: 0, isPlaying: false };

/** @type {(state: ReplayState, action: ReplayAction) => ReplayState} */
export function reduceReplay(state, action) {
  const last = state.steps.length - 1;
  switch (action.type) {
    case "opened":
      return { steps: action.steps, at: action.steps.length - 1, isPlaying: false };
    case "went": {
      const at = Math.max(0, Math.min(last, action.to));
      return { ...state, at, isPlaying: state.isPlaying && at < last };
    }
    case "playTapped":
      if (state.isPlaying) return { ...state, isPlaying: false };
      // At the end, play from the beginning.
      return { ...state, at: state.at === last ? 0 : state.at, isPlaying: last > 0 };
    case "closed":
      return { ...state, isPlaying: false };
    default:
      return state;
  }
}

/**
 * @typedef {object} CorrectState
 * @property {Standing} holes as they stand with the changes so far
 * @property {Change[]} changes
 * @property {{ seat: SeatName, from: HoleId } | null} taken the pawn that was tapped and not yet put down
 * @property {Point | null} magnified the place shown larger; null for the whole board
 */
/**
 * @typedef {{ type: "opened", holes: Standing } | { type: "magnified", point: Point | null }
 *   | { type: "tapped", hole: HoleId } | { type: "undone" }} CorrectAction
 */

/** @type {CorrectState} */
export const NO_CORRECTION = { holes: {}, changes: [], taken: null, magnified: null };

/** @type {(state: CorrectState, action: CorrectAction) => CorrectState} */
export function reduceCorrect(state, action) {
  switch (action.type) {
    case "opened":
      return { ...NO_CORRECTION, holes: action.holes };
    case "magnified":
      return { ...state, magnified: action.point };
    case "tapped":
      return tapHole(state, action.hole);
    case "undone": {
      const last = state.changes.at(-1);
      const holes = last
        ? moved(state.holes, { seat: last.seat, from: last.to, to: last.from })
        : state.holes;
      return { holes, changes: state.changes.slice(0, -1), taken: null, magnified: null };
    }
    default:
      return state;
  }
}

/**
 * The first tap picks a pawn up, the next puts it into an empty hole, or back.
 * @type {(state: CorrectState, hole: HoleId) => CorrectState}
 */
function tapHole(state, hole) {
  const { holes, changes, taken } = state;
  const standing = holes[hole];
  if (!taken) {
    return standing ? { ...state, taken: { seat: standing, from: hole }, magnified: null } : state;
  }
  if (hole === taken.from) return { ...state, taken: null, magnified: null };
  if (standing) return { ...state, magnified: null };
  const change = { ...taken, to: hole };
  return { holes: moved(holes, change), changes: [...changes, change], taken: null, magnified: null };
}

/** @type {(holes: Standing, change: Change) => Standing} */
function moved(holes, { seat, from, to }) {
  const { [from]: _, ...others } = holes;
  return { ...others, [to]: seat };
}
