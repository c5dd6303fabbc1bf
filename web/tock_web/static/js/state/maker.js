// A board being made from photographs: the step, the tool in hand, and the companion's progress.

/** @import { BoardMade, MadeHole } from "#types" */
/** @typedef {[x: number, y: number]} Share a place in a photo, as shares of its width and height */
/** @typedef {"photos" | "starts" | "mend" | "check" | "name"} MakerStep */
/** @typedef {"look" | "move" | "add" | "remove" | "start" | "own"} Tool */
/**
 * @typedef {object} MakerState
 * @property {BoardMade | null} made what the companion told last
 * @property {MakerStep} step
 * @property {Tool} tool
 * @property {string} color whose start or home is to be touched
 * @property {boolean} everywhere a touch acts in all zones alike
 * @property {number} photo the number of the one that is shown
 * @property {number} zoom
 * @property {number} zones how many start holes are to be touched
 * @property {Share[]} starts those touched so far
 * @property {boolean} isBusy something was sent, and its answer is not there yet
 */
/**
 * @typedef {{ type: "told", made: BoardMade } | { type: "sent" } | { type: "failed" }
 *   | { type: "went", step: MakerStep } | { type: "took", tool: Tool } | { type: "colored", color: string }
 *   | { type: "everywhere", on: boolean } | { type: "showed", photo: number } | { type: "zoomed" }
 *   | { type: "zones", zones: number } | { type: "touched", at: Share } | { type: "untouched" }} MakerAction
 */

export const TOOLS = /** @type {const} */ (["look", "move", "add", "remove", "start", "own"]);
const MAX_ZOOM = 4;
const ZONE_HOLES = 18;

/** @type {MakerState} */
export const NO_MAKER = {
  made: null,
  step: "photos",
  tool: "look",
  color: "red",
  everywhere: true,
  photo: 0,
  zoom: 1,
  zones: 4,
  starts: [],
  isBusy: false,
};

/**
 * @param {MakerState} state
 * @param {MakerAction} action
 * @returns {MakerState}
 */
export function reduceMaker(state, action) {
  switch (action.type) {
    case "told":
      return told({ ...state, isBusy: false }, action.made);
    case "sent":
      return { ...state, isBusy: true };
    case "failed":
      return { ...state, isBusy: false };
    case "went":
      return { ...state, step: action.step, starts: [], tool: "look" };
    case "took":
      return { ...state, tool: action.tool };
    case "colored":
      return { ...state, color: action.color };
    case "everywhere":
      return { ...state, everywhere: action.on };
    case "showed":
      return { ...state, photo: action.photo };
    case "zoomed":
      return { ...state, zoom: state.zoom === MAX_ZOOM ? 1 : state.zoom * 2 };
    case "zones":
      return { ...state, zones: action.zones, starts: state.starts.slice(0, action.zones) };
    case "touched":
      return state.starts.length < state.zones ? { ...state, starts: [...state.starts, action.at] } : state;
    case "untouched":
      return { ...state, starts: state.starts.slice(0, -1) };
    default:
      return state;
  }
}

/**
 * A board that was found is mended next; one that is gone is photographed again.
 *
 * @param {MakerState} state
 * @param {BoardMade} made
 * @returns {MakerState}
 */
function told(state, made) {
  const next = { ...state, made };
  const isFresh = state.made?.phase !== "found" && made.phase === "found";
  if (isFresh) return { ...next, step: "mend", tool: "look", starts: [], photo: firstShown(made), zoom: 1 };
  if (!made.board && state.step !== "photos" && state.step !== "starts") return { ...next, step: "photos" };
  if (made.phase === "finding") return { ...next, step: "photos" };
  return next;
}

/**
 * The first photo that shows the board.
 *
 * @param {BoardMade} made
 */
function firstShown(made) {
  const places = made.board?.holes[0]?.places ?? [];
  return Math.max(
    0,
    places.findIndex((place) => place !== null),
  );
}

/**
 * The hole nearest to a place in a photo, and how far it is, in widths of the photo.
 *
 * @param {BoardMade} made
 * @param {number} photo
 * @param {Share} at
 * @returns {{ hole: MadeHole, distance: number } | null}
 */
export function nearestHole(made, photo, [x, y]) {
  const { width, height } = made.photos[photo];
  /** @type {{ hole: MadeHole, distance: number } | null} */
  let best = null;
  for (const hole of made.board?.holes ?? []) {
    const place = hole.places[photo];
    if (!place) continue;
    const distance = Math.hypot(place[0] - x, ((place[1] - y) * height) / width);
    if (!best || distance < best.distance) best = { hole, distance };
  }
  return best;
}

/**
 * The label beside a hole: its number on the track, a letter for home and camp, a question mark without a name.
 *
 * @param {string} id
 */
export function holeLabel(id) {
  if (id.startsWith("+")) return "?";
  if (id === "C") return "·";
  if (!id.startsWith("T")) return id.slice(3);
  return String(((Number(id.slice(1)) + ZONE_HOLES - 1) % ZONE_HOLES) + 1);
}

/**
 * The owner's colour of a hole; null for most of the track.
 *
 * @param {string} id
 */
export function holeSeat(id) {
  if (id.startsWith("P")) return id.slice(0, 2);
  const index = Number(id.slice(1));
  return id.startsWith("T") && index % ZONE_HOLES === 0 ? `P${index / ZONE_HOLES}` : null;
}
