// Building elements without HTML text, so that names and sentences can never become markup.

import { present } from "./store.js";

/** @import { Attributes, Children, Tag } from "#types" */

const SVG = "http://www.w3.org/2000/svg";

/** @type {(node: Element, classes: string[], parts: (Attributes | Children)[]) => void} */
function fill(node, classes, parts) {
  const [first, ...others] = parts;
  const isBare = !first || Object.getPrototypeOf(first) !== Object.prototype;
  const attributes = /** @type {Attributes} */ (isBare ? {} : first);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      node.setAttribute(name === "testid" ? "data-testid" : name, value === true ? "" : String(value));
    }
  }
  node.append(...present(/** @type {Children[]} */ (isBare ? parts : others)));
}

/**
 * Make an HTML element: `p.hint-line` has a class; attributes come first, if any. Among them `on…` are listeners, and
 * `testid` is short for data-testid.
 *
 * @template {string} T
 * @param {T} tag
 * @param {...(Attributes | Children)} parts
 */
export function h(tag, ...parts) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  fill(node, classes, parts);
  return /** @type {HTMLElementTagNameMap[Tag<T, HTMLElementTagNameMap>]} */ (node);
}

/**
 * Make a button.
 * @type {(kind: string, testid: string, words: Children, onclick: () => unknown, more?: Attributes) => HTMLButtonElement}
 */
export function button(kind, testid, words, onclick, more = {}) {
  return h("button", { type: "button", class: kind, testid, onclick, ...more }, words);
}

/**
 * Make a button that is one of several choices.
 * @type {(kind: string, testid: string, words: Children, isChosen: boolean, onclick: () => unknown, more?: Attributes) => HTMLButtonElement}
 */
export function tile(kind, testid, words, isChosen, onclick, more = {}) {
  return button(kind, testid, words, onclick, { "aria-pressed": String(isChosen), ...more });
}

/**
 * Make a select of some values.
 *
 * @template V
 * @param {Attributes} attributes
 * @param {readonly V[]} values
 * @param {NoInfer<V> | undefined} now the one that is chosen
 * @param {(value: V, index: number) => string} words
 * @param {(value: V) => unknown} [pick] hears of another choice
 */
export function choice(attributes, values, now, words, pick = () => {}) {
  const onchange = () => pick(values[node.selectedIndex]);
  /** @type {HTMLSelectElement} */
  const node = h("select", { ...attributes, onchange }, options(values, now, words));
  return node;
}

/** @template V @param {readonly V[]} values @param {NoInfer<V> | undefined} now @param {(value: V, index: number) => string} words */
export function options(values, now, words) {
  return values.map((value, index) =>
    h("option", { value: String(value ?? ""), selected: value === now }, words(value, index)),
  );
}

/**
 * Make an SVG element the same way.
 *
 * @template {string} T
 * @param {T} tag
 * @param {...(Attributes | Children)} parts
 */
export function s(tag, ...parts) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElementNS(SVG, name);
  fill(node, classes, parts);
  return /** @type {SVGElementTagNameMap[Tag<T, SVGElementTagNameMap>]} */ (node);
}

/**
 * Set an element's text, but leave it alone if it already says so: screen readers announce every write.
 * @type {(node: Element, text: string) => void}
 */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * @typedef {"zoom" | "players" | "history" | "rules" | "replay" | "correct" | "cards" | "hide" | "hint" | "undo" | "done"
 *   | "edit" | "photo" | "turn" | "close" | "back"} IconName
 */

/** An icon beside a word, which carries the meaning. @param {IconName} name */
export function icon(name) {
  return s("svg.icon", { "aria-hidden": "true", focusable: "false" }, s("use", { href: `#i-${name}` }));
}
