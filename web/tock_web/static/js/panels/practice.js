// The place of a practice: its lessons are fetched, with their words, once somebody begins one.

import { button } from "../core/dom.js";
import { loadAllWords, onLanguage, t } from "../core/words.js";
import { fetched } from "./lazy_panel.js";

/** @import { RequestArguments, SeatName, View } from "#types" */
/** @typedef {(...asked: RequestArguments) => Promise<boolean>} Ask */

/** @type {(root: HTMLElement, me: SeatName | null, ask: Ask) => (view: View) => void} */
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

/** Offer a practice in the lobby. @type {(lobby: HTMLElement, ask: Ask) => void} */
export function practiceOffer(lobby, ask) {
  const node = button("quiet practice-offer", "practise", [], () => ask("practise"));
  lobby.prepend(node);
  const name = () => node.replaceChildren(t("practice-offer"));
  onLanguage(name);
  name();
}
