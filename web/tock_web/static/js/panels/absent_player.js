// A player has left on their own turn: the question who plays for them, which is fetched once it is asked.

import { loadAllWords } from "../core/words.js";
import { fetched } from "./lazy_panel.js";

/** @import { SeatStyles, SeatName, View } from "#types" */

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {((seat: SeatName, choice: "computer" | "skip" | "wait") => void) | null} answer null for those who only look
 */
export function absentPanel(root, styles, answer) {
  return fetched(
    () => Promise.all([import("./absent_question.js"), loadAllWords()]),
    ([{ absentQuestion }]) => absentQuestion(root, styles, answer),
    (/** @type {View} */ view) => view.absent,
  );
}
