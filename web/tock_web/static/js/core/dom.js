// Building elements without HTML text, so that names and sentences can never become markup.

import { present } from "./store.js";

/** @import { Attributes, Children } from "#types" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} node
 * @param {Attributes | null | undefined} attributes
 * @param {Children} children
 * @returns {E}
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      node.setAttribute(name === "testid" ? "data-testid" : name, value === true ? "" : String(value));
    }
  }
  node.append(...present(children));
  return node;
}

/**
 * Make an HTML element; `on…` attributes are listeners, `testid` is short for data-testid.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes | null} [attributes]
 * @param {...Children} children
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Make a button.
 * @type {(kind: string, testid: string, words: Children, onclick: () => unknown, more?: Attributes) => HTMLButtonElement}
 */
export function button(kind, testid, words, onclick, more = {}) {
  return h("button", { type: "button", class: kind, testid, onclick, ...more }, words);
}

/**
 * Make an SVG element the same way.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes | null} [attributes]
 * @param {...Children} children
 */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Set an element's text, but leave it alone if it already says so: screen readers announce every write.
 * @type {(node: Element, text: string) => void}
 */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
