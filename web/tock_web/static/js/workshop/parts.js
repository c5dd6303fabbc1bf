// Shared parts of the steps of "your board": buttons, and choices as rows of tiles.

import { h } from "../core/dom.js";
import { t } from "../core/words.js";
import { MAX_ZOOM } from "./state.js";

/** @import { Children, Word } from "#types" */
/** @import { Maker } from "./maker.js" */

/** @type {(word: Word, testid: string, onclick: () => void, more?: object) => HTMLButtonElement} */
export function button(word, testid, onclick, more = {}) {
  return h("button", { type: "button", class: "wide", testid, onclick, ...more }, t(word));
}

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
  const tiles = values.map((value) => {
    const pressed = String(value === current);
    const attributes = {
      type: "button",
      class: "tile small",
      "aria-pressed": pressed,
      testid: `${testid}-${value}`,
    };
    return h("button", { ...attributes, onclick: () => pick(value) }, words(value));
  });
  return h("div", { class: "tiles", role: "group", "aria-label": t(label) }, tiles);
}

/** @param {Maker} maker */
export function zoomButton(maker) {
  const zoom = () => maker.store.dispatch({ type: "zoomed" });
  return h(
    "button",
    { type: "button", class: "wide", testid: "maker-zoom", onclick: zoom },
    t(maker.store.state.zoom === MAX_ZOOM ? "maker.zoom-out" : "maker.zoom"),
  );
}
