// The far phone's page: its line to the table, and how far its player has come.

/** @import { Ending } from "./greeting.js" */
/** @import { LinkFault } from "./link.js" */
/**
 * How things stand with the line. `connecting`: on the way to the relay; `greeting`: there, and the home is
 * asked; `silent`: the home does not answer; `away`: the home is not connected; `live`; `cut`: it was live before;
 * `refused`: the relay does not know the link (any more); the others are for good.
 *
 * @typedef {"connecting" | "greeting" | "silent" | "away" | "live" | "cut" | "refused" | Ending} LineKind
 */
/** @typedef {{ kind: LineKind, since: number }} LineState `since` it is live, or is not, on the page's clock */
/**
 * The table's words to a guest whom it invites.
 *
 * @typedef {{ by: string, name: string, watches: boolean }} Invited
 */
/**
 * @typedef {object} FarState
 * @property {"link" | "door" | "joining" | "seated"} stage
 * @property {LinkFault | null} fault of the link
 * @property {LineState} line
 * @property {Invited | null} invited
 * @property {number | null} waitingSince when the oldest change without an answer was tapped
 * @property {"" | "out" | "taken"} lost a computer plays here meanwhile, or somebody else
 */
/**
 * @typedef {{ type: "faulty", fault: LinkFault } | { type: "line", line: LineState }
 *   | { type: "invited", invited: Invited } | { type: "joining" } | { type: "refused" } | { type: "seated" }
 *   | { type: "waiting", since: number | null } | { type: "lost", lost: FarState["lost"] }} FarAction
 */
/** @typedef {{ word: "fault" | Exclude<LineKind, "live"> | "way" | "out" | "taken" | null, since: number | null, isFinal: boolean }} Standing */

/** @type {LineKind[]} */
const FOR_GOOD = ["revoked", "over", "seat", "device", "older", "newer", "tab", "refused", "board"];
/** A request on its way for less than this is not worth a word: the tapped card itself shows it. */
const WAY_MS = 700;

/** @type {FarState} */
export const ON_THE_WAY = {
  stage: "link",
  fault: null,
  line: { kind: "connecting", since: 0 },
  invited: null,
  waitingSince: null,
  lost: "",
};

/** @type {(state: FarState, action: FarAction) => FarState} */
export function reduceFar(state, action) {
  switch (action.type) {
    case "faulty":
      return { ...state, fault: action.fault };
    case "line":
      return { ...state, line: action.line };
    case "invited":
      return { ...state, stage: "door", invited: action.invited };
    case "joining":
      return { ...state, stage: "joining", lost: "" };
    case "refused":
      return { ...state, stage: "door", lost: "taken" };
    case "seated":
      return { ...state, stage: "seated" };
    case "lost":
      return state.stage !== "seated" || state.lost === action.lost ? state : { ...state, lost: action.lost };
    case "waiting":
      return { ...state, waitingSince: action.since };
    default:
      return state;
  }
}

/** Whether this link leads to no seat any more, whatever this phone does. @param {FarState} state */
export function isOver({ fault, line }) {
  return Boolean(fault) || FOR_GOOD.includes(line.kind);
}

/**
 * What there is to say about the line; no word while all is well.
 * @type {(state: FarState, nowMs: number) => Standing}
 */
export function standing({ fault, line, stage, waitingSince, lost }, nowMs) {
  if (fault) return { word: "fault", since: null, isFinal: true };
  const { kind, since } = line;
  if (kind !== "live") return { word: kind, since, isFinal: FOR_GOOD.includes(kind) };
  if (lost) return { word: lost, since: null, isFinal: true };
  const isSlow = waitingSince !== null && nowMs - waitingSince > WAY_MS;
  return { word: isSlow || stage === "link" ? "way" : null, since: null, isFinal: false };
}
