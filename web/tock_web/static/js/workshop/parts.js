// Shared parts of the steps of "your board": buttons, and choices as rows of tiles.

import { button, h } from "../core/dom.js";
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
  const tiles = values.map((value) => {
    const pressed = String(value === current);

    return button("tile small", `${testid}-${value}`, words(value), () => pick(value), {
      "aria-pressed": pressed,
    });
  });
  return h("div", { class: "tiles", role: "group", "aria-label": t(label) }, tiles);
}

/** @param {Maker} maker */
export function zoomButton(maker) {
  const zoom = () => maker.store.dispatch({ type: "zoomed" });
  return button(
    "wide",
    "maker-zoom",
    t(maker.store.state.zoom === MAX_ZOOM ? "maker.zoom-out" : "maker.zoom"),
    zoom,
  );
}
