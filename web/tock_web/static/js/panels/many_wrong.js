// More pawns in wrong places than anybody puts back step by step.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

/** @import { BoardWarning, Children } from "#types" */

/** More misplaced pawns than this make one sentence: nobody reads a list of eight gestures. */
export const MAX_STEPS_LISTED = 3;

/** @param {BoardWarning} warning */
export function isMany({ repair }) {
  return repair.length > MAX_STEPS_LISTED;
}

/**
 * One sentence, and the host's way out.
 *
 * @param {BoardWarning} warning
 * @param {HTMLElement} bang
 * @param {Children} passing the button that lets it pass
 * @param {(() => void) | null} accept
 * @param {string} calm what to do where nobody erred, as when a move is taken back
 */
export function manyWrong(warning, bang, passing, accept, calm) {
  return h(
    "section",
    { class: calm ? "warning calm" : "warning", testid: "warning", role: "alert", "data-breaks": "" },
    h(
      "p",
      { class: "warning-message" },
      bang,
      h("span", { testid: "many-wrong" }, calm && `${calm} `, t("many-wrong", { n: warning.repair.length })),
    ),
    passing,
    !calm && accept && button("wide", "accept-here", t("accept-board"), accept),
  );
}
