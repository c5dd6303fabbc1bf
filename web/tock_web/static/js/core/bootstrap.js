// What a page starts from: the parts of its document, what came with it, and what this phone remembers.

/** @import { Bootstrap } from "#types" */

/**
 * The part of the document with an id; a template that lacks it is a fault of the page itself.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function part(id) {
  return partOf(HTMLElement, id);
}

/**
 * The same where it matters which element it is.
 *
 * @template {HTMLElement} E
 * @param {new () => E} kind
 * @param {string} id
 * @returns {E}
 */
export function partOf(kind, id) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`the document has no ${kind.name} #${id}`);
  return node;
}

/**
 * Words, board, who this phone is and the newest view: drawn before anything has been asked for.
 *
 * @type {Bootstrap}
 */
export const bootstrap = JSON.parse(part("bootstrap").textContent ?? "");

/**
 * A remembered value or the fallback; a browser that forbids storage just forgets.
 *
 * @param {string} key
 * @param {string} fallback
 * @returns {string}
 */
export function recall(key, fallback) {
  try {
    return localStorage.getItem(`tock.${key}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(`tock.${key}`, value);
  } catch {
    // Private mode: the choice holds until the page is left.
  }
}
