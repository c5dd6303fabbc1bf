// The place of a practice: its lessons are fetched, with their words, once somebody begins one.

import { h } from "../core/dom.js";
import { loadAllWords, onLanguage, t } from "../core/words.js";
import { fetched } from "./lazy_panel.js";

/** @import { RequestArguments, SeatName, View } from "#types" */
/** @typedef {(...asked: RequestArguments) => Promise<boolean>} Ask */

/**
 * @param {HTMLElement} root
 * @param {SeatName | null} me
 * @param {Ask} ask
 */
export function practicePanel(root, me, ask) {
  const draw = fetched(
    () => Promise.all([import("./lesson.js"), loadAllWords()]),
    ([{ lessonPanel }]) => lessonPanel(root, me, ask),
    (/** @type {View} */ { practice }) => practice,
  );
  return (/** @type {View} */ view) => {
    document.body.classList.toggle("practising", Boolean(view.practice));
    draw(view);
  };
}

/**
 * Offer a practice in the lobby.
 *
 * @param {HTMLElement} lobby
 * @param {Ask} ask
 */
export function practiceOffer(lobby, ask) {
  const button = h("button", {
    type: "button",
    class: "quiet practice-offer",
    testid: "practise",
    onclick: () => ask("practise"),
  });
  lobby.prepend(button);
  const name = () => button.replaceChildren(t("practice-offer"));
  onLanguage(name);
  name();
}
