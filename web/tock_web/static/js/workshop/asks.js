// The questions that only a person can answer, one at a time, each with its buttons below it.

import { pawnIcon, seatStyles } from "../board/shapes.js";
import { button, h, tile } from "../core/dom.js";
import { say, t, tNamed } from "../core/words.js";
import { COLORS, openAsks } from "./state.js";

/** @import { AskCode, MakerState, Tool } from "./state.js" */
/** @import { SeatName, Text } from "#types" */
/** @import { Maker } from "./maker.js" */

/** The tool for mending after a "no"; null where the answer itself does it. @type {Record<AskCode, Tool | null>} */
const MENDS = {
  "discover/ask_start": "start",
  "discover/ask_holes": "move",
  "discover/ask_camp": "remove",
  "discover/ask_centre": null,
  "discover/ask_colors": "own",
};

/** The style of a pawn of each colour. */
const STYLES = new Map(
  [
    ...seatStyles({
      zones: COLORS.length,
      colors: Object.fromEntries(COLORS.map((color, index) => [`P${index}`, color])),
    }).values(),
  ].map((style) => [style.color, style]),
);

/** @type {(maker: Maker, state: MakerState) => (HTMLElement | HTMLParagraphElement[])[]} */
export function question(maker, state) {
  const { made } = state;
  if (!made) return [];
  const notes = made.asks.filter(({ code }) => !(code in MENDS));
  const open = openAsks(state);
  const first = open[0];
  return [
    notes.map(({ message }) => h("p.hint-line", say(message))),
    first &&
      h(
        "section.maker-ask",
        { testid: "maker-ask", "data-code": first.code },
        first.code === "discover/ask_colors"
          ? colorsOf(maker, state)
          : yesOrNo(maker, state, first.code, first.message),
      ),
  ];
}

/** @type {(maker: Maker, state: MakerState, code: AskCode, message: Text) => HTMLDivElement[]} */
function yesOrNo(maker, { isBusy }, code, message) {
  const one = (/** @type {boolean} */ yes) => {
    const answer = () => maker.answer(code, yes, yes ? null : MENDS[code]);
    const word = yes ? "yes" : "no";
    return button("wide", `maker-${word}`, t(`maker.${word}`), answer, { disabled: isBusy });
  };
  return [h("p", { role: "status" }, say(message)), h("div.button-grid", one(true), one(false))];
}

/**
 * The colour of one player after the other, each with a ring around their home and camp in the photo.
 * @type {(maker: Maker, state: MakerState) => HTMLDivElement[]}
 */
function colorsOf(maker, { made, coloring, isBusy }) {
  const board = made?.board;
  if (!board) return [];
  const seat = /** @type {SeatName} */ (`P${coloring}`);
  const one = (/** @type {string} */ color) => {
    const words = [pawnIcon(STYLES.get(color)), tNamed("color.", color)];
    const pick = () => maker.colorSeat(seat, color);
    const isIts = board.colors[seat] === color;
    return tile("tile small", `maker-answer-${color}`, words, isIts, pick, { disabled: isBusy });
  };
  return [
    h("p", { role: "status" }, t("maker.ask-color", { n: coloring + 1, all: board.zones })),
    h("div.tiles", { role: "group", "aria-label": t("maker.color") }, COLORS.map(one)),
  ];
}
