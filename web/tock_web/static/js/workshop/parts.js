// Shared parts of the steps of "your board": buttons, and choices as rows of tiles.

import { button, h, tile } from "../core/dom.js";
import { t } from "../core/words.js";
import { MAX_ZOOM } from "./state.js";

/** @import { Children, Word } from "#types" */
/** @import { Maker } from "./maker.js" */

/**
 * @template {string | number | boolean | null} V
 * @param {Word} label
 * @param {readonly V[]} values
 * @param {V} current
 * @param {(value: V) => void} pick
 * @param {(value: V) => Children} words
 * @param {string} testid
 */
export function choices(label, values, current, pick, words, testid) {
  const one = (/** @type {V} */ value) =>
    tile("tile small", `${testid}-${value}`, words(value), value === current, () => pick(value));
  return h("div.tiles", { role: "group", "aria-label": t(label) }, values.map(one));
}

/** @param {Maker} maker */
export function zoomButton(maker) {
  const word = maker.store.state.zoom === MAX_ZOOM ? "maker.zoom-out" : "maker.zoom";
  return button("wide", "maker-zoom", t(word), () => maker.store.dispatch({ type: "zoomed" }));
}
