// The question to everybody who plays for somebody that has left on their own turn.

import { button } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { colorName, seatQuestion } from "./seats.js";

/** @import { AbsentInfo, SeatStyles, SeatName, View } from "#types" */

const CHOICES = /** @type {const} */ (["computer", "skip", "wait"]);

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {((seat: SeatName, choice: "computer" | "skip" | "wait") => void) | null} answer null for those who only look
 */
export function absentQuestion(root, styles, answer) {
  const draw = drawer(root, (/** @type {AbsentInfo | null} */ absent) => {
    if (!absent) return [];
    const { seat, name } = absent;
    const one = (/** @type {typeof CHOICES[number]} */ choice) =>
      button("big", `absent-${choice}`, t(`absent-${choice}`), () => answer?.(seat, choice));
    const sentence = t("absent-title", { name, color: colorName(seat, styles) });
    return seatQuestion("absent", seat, styles, sentence, answer && CHOICES.map(one));
  });
  return (/** @type {View} */ view) => draw([language(), view.absent], view.absent ?? null);
}
