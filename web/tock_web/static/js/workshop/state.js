// A board being made from photographs: the step, the tool in hand, and the companion's progress.

import { boardBox, holeSeat } from "./holes.js";

/** @import { BoardMade, Text } from "#types" */
/** @import { Box } from "./holes.js" */
/** @typedef {[x: number, y: number]} Share a place in a photo, as shares of its width and height */
/** @typedef {"photos" | "starts" | "mend" | "check" | "name"} MakerStep */
/** @typedef {"discover/ask_start" | "discover/ask_holes" | "discover/ask_camp" | "discover/ask_centre" |
 *   "discover/ask_colors"} AskCode */
/** @typedef {"look" | "move" | "add" | "remove" | "start" | "own"} Tool */
/**
 * @typedef {object} MakerState
 * @property {BoardMade | null} made the companion's last answer
 * @property {MakerStep} step
 * @property {Tool} tool
 * @property {string} color whose start or home is to be touched
 * @property {boolean} everywhere a touch acts in all zones alike
 * @property {number} photo the number of the one that is shown
 * @property {number} zoom
 * @property {Share | null} focus the place that was touched to enlarge it
 * @property {Box[]} boxes where the board lies in each photo, since it was found: the picture stands still
 * @property {number} coloring whose colour is asked for: the number of the seat
 * @property {boolean} fromCamera the last picture was the table's camera's
 * @property {number} checks pictures that were sent to be checked
 * @property {number} zones how many start holes are to be touched
 * @property {Share[]} starts those touched so far
 * @property {boolean | null} middle whether there is a hole in the middle; null: nobody has said
 * @property {boolean} isBusy something was sent, and its answer is not there yet
 */
/**
 * @typedef {Partial<MakerState> | { type: "received", made: BoardMade } | { type: "went", step: MakerStep }
 *   | { type: "zoomed", at?: Share } | { type: "zones", zones: number } | { type: "touched", at: Share }
 *   | { type: "untouched" } | { type: "seatColored" } | { type: "pictured", fromCamera: boolean }} MakerAction
 */

export const TOOLS = /** @type {const} */ (["look", "move", "add", "remove", "start", "own"]);
export const COLORS = [
  "red", "blue", "yellow", "green", "black", "white", "orange", "purple", "brown", "grey", "pink", "turquoise",
]; // prettier-ignore
const ASKS = ["discover/ask_start", "discover/ask_holes", "discover/ask_camp", "discover/ask_centre", "discover/ask_colors"]; // prettier-ignore
export const MAX_ZOOM = 4;

/** @type {MakerState} */
export const NO_MAKER = {
  made: null,
  step: "photos",
  tool: "look",
  color: "red",
  everywhere: true,
  photo: 0,
  zoom: 1,
  focus: null,
  boxes: [],
  coloring: 0,
  fromCamera: false,
  checks: 0,
  zones: 4,
  starts: [],
  middle: null,
  isBusy: false,
};

/** @type {(state: MakerState, action: MakerAction) => MakerState} */
export function reduceMaker(state, action) {
  if (!("type" in action)) return { ...state, ...action };
  switch (action.type) {
    case "received":
      return received({ ...state, isBusy: false }, action.made);
    case "went":
      return { ...state, step: action.step, starts: [], middle: null, tool: "look" };
    case "pictured":
      return {
        ...state,
        fromCamera: action.fromCamera,
        checks: state.checks + Number(state.step === "check"),
      };
    default:
      return touched(state, action);
  }
}

/** The touches of a finger. @type {(state: MakerState, action: Extract<MakerAction, { type: string }>) => MakerState} */
function touched(state, action) {
  switch (action.type) {
    case "zoomed":
      return { ...state, zoom: state.zoom === MAX_ZOOM ? 1 : state.zoom * 2, focus: action.at ?? null };
    case "seatColored":
      return { ...state, coloring: state.coloring + 1 };
    case "zones":
      return { ...state, zones: action.zones, starts: state.starts.slice(0, action.zones) };
    case "touched":
      // One touch too many means the last start, which lay wrong.
      return { ...state, starts: [...state.starts.slice(0, state.zones - 1), action.at] };
    case "untouched":
      return { ...state, starts: state.starts.slice(0, -1) };
    default:
      return state;
  }
}

/**
 * A board that was found is mended next; one that is gone is photographed again.
 * @type {(state: MakerState, made: BoardMade) => MakerState}
 */
function received(state, made) {
  const next = { ...state, made };
  const isFresh = state.made?.phase !== "found" && made.phase === "found";
  if (isFresh) {
    const boxes = made.photos.map((_, number) => boardBox(made, number));
    const begun = {
      starts: [],
      middle: null,
      photo: firstShown(made),
      zoom: 1,
      focus: null,
      boxes,
      coloring: 0,
    };
    return { ...next, ...begun, step: "mend", tool: "look" };
  }
  if (!made.board && state.step !== "photos" && state.step !== "starts") return { ...next, step: "photos" };
  if (made.phase === "finding") return { ...next, step: "photos" };
  return next;
}

/** The first photo that shows the board. @param {BoardMade} made */
function firstShown(made) {
  const places = made.board?.holes[0]?.places ?? [];
  return Math.max(
    0,
    places.findIndex((place) => place !== null),
  );
}

/** The questions that are still open. @type {(state: MakerState) => { code: AskCode, message: Text }[]} */
export function openAsks({ made }) {
  return (made?.asks ?? []).flatMap(({ code, message }) =>
    ASKS.includes(code) ? [{ code: /** @type {AskCode} */ (code), message }] : [],
  );
}

/** The question that is asked now. @param {MakerState} state */
export function askNow(state) {
  return state.step === "mend" ? openAsks(state)[0]?.code : undefined;
}

/**
 * Whether the question that is asked now is about a hole.
 * @type {(state: MakerState, id: string) => boolean}
 */
export function isAsked(state, id) {
  const code = askNow(state);
  const zone = state.made?.board?.zone_length;
  if (code === "discover/ask_colors") return holeSeat(id, zone) === `P${state.coloring}`;
  if (code === "discover/ask_start") return id.startsWith("T") && holeSeat(id, zone) !== null;
  return code === "discover/ask_camp" && id.includes("-C");
}
