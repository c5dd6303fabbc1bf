// The place of a practice: its lessons are fetched, with their words, once somebody begins one.

import { h } from "../core/dom.js";
import { loadAllWords, onLanguage, t } from "../core/words.js";
import { arrived } from "./frame.js";

/** @import { RequestArguments, SeatName, View } from "#types" */
/** @typedef {(...asked: RequestArguments) => Promise<boolean>} Ask */

/**
 * @param {HTMLElement} root
 * @param {SeatName | null} me
 * @param {Ask} ask
 */
export function practicePanel(root, me, ask) {
  /** @type {((view: View) => void) | null} */
  let draw = null;
  /** @type {View | null} */
  let newest = null;
  let isFetching = false;

  async function fetchLessons() {
    isFetching = true;
    const found = await arrived(Promise.all([import("./lesson.js"), loadAllWords()]));
    isFetching = false;
    if (found) draw ??= found[0].lessonPanel(root, me, ask);
    if (newest) draw?.(newest);
  }

  return (/** @type {View} */ view) => {
    newest = view;
    document.body.classList.toggle("practising", Boolean(view.practice));
    if (draw) draw(view);
    else if (view.practice && !isFetching) void fetchLessons();
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
