// The field for the proof of a host: the PIN, or the code that only the machine shows.

import { h } from "../core/dom.js";
import { t } from "../core/words.js";

/** @import { Session, Word } from "#types" */

/** The field for the current PIN, or without one the code that only the machine shows. */
export function proofField(/** @type {Session} */ session, /** @type {string} */ id) {
  /** @type {HTMLInputElement} */
  const input = h("input", {
    id,
    testid: id,
    type: "password",
    inputmode: "numeric",
    maxlength: 12,
    autocomplete: "off",
  });
  const label = h("label", { for: id });
  const hint = h("p.hint-line");
  word(label, session.pin ? "pin-before" : "machine-code");
  word(hint, session.pin ? "pin-forgotten" : "machine-code-what");
  return { box: [h("p", label, input), hint], input };
}

/**
 * Give an element a text in the language of the page, whichever that becomes.
 * @type {(element: HTMLElement, key: Word) => void}
 */
export function word(element, key) {
  element.dataset.t = key;
  element.textContent = t(key);
}
