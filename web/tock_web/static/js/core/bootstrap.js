// A page's starting point: the parts of its document, the data sent with it, and this phone's memory.

/** @import { Bootstrap } from "#types" */

/** Find an element by id; a template without it is a bug in the page. @type {(id: string) => HTMLElement} */
export function part(id) {
  return partOf(HTMLElement, id);
}

/**
 * Find an element that must be of a certain kind.
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
 * Words, board, session and newest view, so that the page can draw before it asks for anything.
 * @type {Bootstrap}
 */
export const bootstrap = JSON.parse(part("bootstrap").textContent ?? "");

/**
 * Read a remembered value; browsers that forbid storage get the fallback.
 * @type {(key: string, fallback: string) => string}
 */
export function recall(key, fallback) {
  try {
    return localStorage.getItem(`tock.${key}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/** @type {(key: string, value: string) => void} */
export function remember(key, value) {
  try {
    localStorage.setItem(`tock.${key}`, value);
  } catch {
    // Private mode: the choice holds until the page is left.
  }
}
