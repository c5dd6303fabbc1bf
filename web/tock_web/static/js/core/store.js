// State that changes in one place, and drawing no more often than that needs.

import { drawUntouched } from "./finger.js";

/** @import { Children } from "#types" */

/**
 * A value that only changes by actions, which a pure reducer turns into the next value.
 *
 * @template S
 * @template A
 */
export class Store {
  /**
   * @param {(state: S, action: A) => S} reduce
   * @param {S} initial
   * @param {(state: S, before: S) => void} [changed] told after each action that changed something
   */
  constructor(reduce, initial, changed = () => {}) {
    this.reduce = reduce;
    this.state = initial;
    this.changed = changed;
  }

  /** @param {A} action */
  dispatch(action) {
    const before = this.state;
    this.state = this.reduce(before, action);
    if (this.state !== before) this.changed(this.state, before);
  }
}

/**
 * A store whose actions are new values.
 * @type {<S>(initial: S, changed?: (state: S, before: S) => void) => Store<S, Partial<S>>}
 */
export function valueStore(initial, changed) {
  return new Store((state, change) => ({ ...state, ...change }), initial, changed);
}

/**
 * Draw into `root` when the key changes, and not while a finger is on it; the button with the focus keeps it.
 *
 * @template {unknown[]} D
 * @param {Element} root
 * @param {(...details: D) => Children} draw
 * @returns {(key: unknown, ...details: D) => void}
 */
export function drawer(root, draw) {
  /** @type {string | null} */
  let last = null;
  return (key, ...details) => {
    const text = JSON.stringify(key);
    if (text === last) return;
    last = text;
    drawUntouched(root, () => {
      const focused = root.ownerDocument.activeElement?.closest("[data-testid]");
      const testid = focused && root.contains(focused) ? focused.getAttribute("data-testid") : null;
      root.replaceChildren(...present(draw(...details)));
      const node = testid && root.querySelector(`[data-testid="${testid}"]`);
      if (node instanceof HTMLElement) node.focus({ preventScroll: true });
    });
  };
}

/**
 * Flatten children of any depth and leave out the empty ones.
 * @type {(children: Children) => (Node | string)[]}
 */
export function present(children) {
  if (Array.isArray(children)) return children.flatMap(present);
  const child = /** @type {Exclude<Children, readonly Children[]>} */ (children);
  if (child === null || child === undefined || child === false || child === "") return [];
  return [typeof child === "number" ? String(child) : child];
}

/**
 * Draw the newest details after the more urgent parts.
 *
 * @template {unknown[]} D
 * @param {(...details: D) => void} draw
 * @returns {(...details: D) => void}
 */
export function later(draw) {
  /** @type {D | null} */
  let newest = null;
  const show = () => {
    const details = newest;
    newest = null;
    if (details) draw(...details);
  };
  return (...details) => {
    if (!newest) setTimeout(show);
    newest = details;
  };
}

/**
 * Put off drawing the contents of a folded box until somebody opens it.
 *
 * @template {unknown[]} D
 * @param {HTMLDetailsElement} box
 * @param {(...details: D) => void} draw
 * @returns {(...details: D) => void}
 */
export function whenOpen(box, draw) {
  /** @type {D | null} */
  let newest = null;
  const show = () => {
    if (box.open && newest) draw(...newest);
  };
  box.addEventListener("toggle", show);
  return (...details) => {
    newest = details;
    show();
  };
}
