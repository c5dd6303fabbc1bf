// Hints for the player's own turn, and those available now.

/** @import { DrawnMove, HintAnswer, HintLevel, SeatView } from "#types" */
/**
 * @typedef {object} HintState
 * @property {HintLevel} most the host's limit
 * @property {boolean} isAsking
 * @property {HintAnswer | null} answer
 * @property {string} moment the turn of the answer, which goes away when the table moves on
 * @property {SeatView | null} view
 */
/**
 * @typedef {{ type: "allowed", most: HintLevel } | { type: "asked" }
 *   | { type: "answered", moment: string, answer: HintAnswer | null }
 *   | { type: "seen", view: SeatView }} HintAction
 */

/** @type {HintLevel[]} */
const LEVELS = ["off", "nudge", "hint", "teacher"];

/** @type {HintState} */
export const NO_HINT = { most: "off", isAsking: false, answer: null, moment: "", view: null };

/** @type {(state: HintState, action: HintAction) => HintState} */
export function reduceHint(state, action) {
  switch (action.type) {
    case "allowed":
      return { ...state, most: action.most };
    case "asked":
      return { ...state, isAsking: true };
    case "answered":
      // The table may have moved on while the companion was thinking.
      return { ...state, isAsking: false, answer: action.moment === state.moment ? action.answer : null };
    case "seen": {
      const { view } = action;
      const moment = JSON.stringify([view.game.seq, view.card]);
      return { ...state, view, moment, answer: moment === state.moment ? state.answer : null };
    }
    default:
      return state;
  }
}

/** @type {(state: HintState, level: HintLevel) => boolean} */
function allows({ most }, level) {
  return LEVELS.indexOf(most) >= LEVELS.indexOf(level);
}

/** Whether there is a move by this seat to compare with the best. @param {HintState} state */
function canCompare({ view }) {
  return Boolean(view && !view.your_turn && view.history.some(({ seat }) => seat === view.seat));
}

/**
 * The hints available now: advice before a move, a comparison after it, or more than a nudge.
 * @type {(state: HintState) => "nudge" | "hint" | "teacher" | "more" | null}
 */
export function offered(state) {
  const { view, answer } = state;
  if (answer) return answer.level === "nudge" && allows(state, "hint") ? "more" : null;
  if (view?.your_turn && (view.expects === "card" || view.expects === "move")) {
    const level = view.card ? "hint" : "nudge";
    return allows(state, level) ? level : null;
  }
  return allows(state, "teacher") && canCompare(state) ? "teacher" : null;
}

/**
 * The move to show on the board; a nudge names only a card.
 * @type {(state: HintState) => DrawnMove | null}
 */
export function advisedMove({ answer }) {
  if (!answer || answer.level === "nudge") return null;
  const { text, targets, arrows } = answer.best;
  return text && targets && arrows ? { text, targets, arrows } : null;
}
