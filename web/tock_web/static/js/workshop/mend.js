// Mending a found board: a tool in the finger, a colour for starts and homes, and undo.

import { button, h } from "../core/dom.js";
import { t, tNamed } from "../core/words.js";
import { COLORS, TOOLS } from "./state.js";
import { question } from "./asks.js";
import { choices, zoomButton } from "./parts.js";

/** @import { MakerState } from "./state.js" */
/** @import { Maker } from "./maker.js" */

/** Tools that may act in all zones at once. */
const ALIKE = ["move", "add", "remove"];

export function mend(/** @type {Maker} */ maker, /** @type {MakerState} */ state) {
  const { made, tool, isBusy, everywhere, photo } = state;
  const board = made?.board;
  if (!made || !board) return [];
  const doubtful = board.holes.filter((hole) => hole.doubtful).length;
  const missing = board.missing.length;
  const go = () => maker.store.dispatch({ type: "went", step: "check" });
  const tick = h("input", { type: "checkbox", testid: "maker-everywhere", checked: everywhere });
  tick.addEventListener("change", () => maker.store.dispatch({ everywhere: tick.checked }));
  return [
    question(maker, state),
    h("p", { testid: "maker-count" }, t("maker.count", { zones: board.zones, holes: board.holes.length })),
    doubtful > 0 && h("p.hint-line", t("maker.doubtful", { n: doubtful })),
    missing > 0 && h("p.bad", { testid: "maker-missing" }, t("maker.missing", { n: missing })),
    choices(
      "maker.tools",
      TOOLS,
      tool,
      (next) => maker.store.dispatch({ tool: next }),
      (name) => t(`maker.tool-${name}`),
      "maker-tool",
    ),
    h("p.hint-line", { role: "status" }, t(`maker.how-${tool}`)),
    (tool === "start" || tool === "own") && colors(maker, state),
    ALIKE.includes(tool) && h("label.maker-tick", tick, t("maker.everywhere")),
    h(
      "div.button-grid",
      button("wide", "maker-undo", t("maker.undo"), () => maker.undo(), { disabled: isBusy || !board.undo }),
      zoomButton(maker),
    ),
    made.photos.length > 1 && photoChoice(maker, made.photos.length, photo),
    button("main", "maker-right", t("maker.right"), go, { disabled: !board.whole }),
  ];
}

/** @type {(maker: Maker, state: MakerState) => HTMLDivElement} */
function colors(maker, { color }) {
  return choices(
    "maker.color",
    COLORS,
    color,
    (next) => maker.store.dispatch({ color: next }),
    (name) => tNamed("color.", name),
    "maker-color",
  );
}

/** @type {(maker: Maker, count: number, photo: number) => HTMLDivElement} */
function photoChoice(maker, count, photo) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const pick = (/** @type {number} */ number) => maker.store.dispatch({ photo: number, focus: null });
  return choices(
    "maker.photo",
    numbers,
    photo,
    pick,
    (number) => t("maker.photo-n", { n: number + 1 }),
    "maker-photo",
  );
}
