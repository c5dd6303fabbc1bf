// The tray at the edge of a real board: the pawns that are nowhere on it lie there, in their colours and marks.

import { pawnShape } from "../board/shapes.js";
import { h, s } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { colorName } from "./seats.js";

/** @import { BoardView, SeatName, SeatStyles } from "#types" */
/** @import { Board } from "../board/board.js" */

/**
 * The seats of the pawns that are not on the board, one for each pawn.
 * @type {(view: BoardView) => SeatName[]}
 */
export function missingPawns({ holes, seen, warning }) {
  if (warning?.code !== "board/pawn_missing") return [];
  const count = new Map(Object.values(holes).map((seat) => [seat, 0]));
  const add = (/** @type {SeatName} */ seat, /** @type {number} */ by) =>
    count.set(seat, (count.get(seat) ?? 0) + by);
  for (const [id, { state, seat }] of Object.entries(seen)) {
    if (state === "unknown") continue;
    if (holes[id] && holes[id] !== seat) add(holes[id], 1);
    if (state === "pawn" && seat && holes[id] !== seat) add(seat, -1);
  }
  // They lie beside the holes, and are ringed there.
  if (warning.seat) add(warning.seat, -warning.spots.length);
  return [...count].sort().flatMap(([seat, number]) => Array(Math.max(0, number)).fill(seat));
}

/**
 * Return a function that draws the tray while pawns are missing; it takes no room, for it lies on the frame.
 * @type {(board: Board, styles: SeatStyles) => (view: BoardView) => void}
 */
export function missingTray(board, styles) {
  const status = h("p.out-of-sight", { role: "status", testid: "missing-status" });
  board.svg.after(status);
  const report = drawer(status, (/** @type {SeatName[]} */ missing) => sentences(missing, styles));
  return (/** @type {BoardView} */ view) => {
    const missing = missingPawns(view);
    report([language(), missing], missing);
    board.put("tray", missing.length > 0 && tray(board, missing, styles));
  };
}

/** @type {(board: Board, missing: SeatName[], styles: SeatStyles) => SVGGElement} */
function tray({ layout: { box, pitch }, radius }, missing, styles) {
  const step = Math.min(pitch, (box.width - 2 * pitch) / missing.length);
  const [x, y] = [box.left + pitch * 0.9, box.top + pitch * 0.54];
  return s(
    "g.missing",
    { testid: "missing" },
    s("rect", {
      x: x - pitch * 0.6,
      y: y - pitch * 0.52,
      width: step * (missing.length - 1) + pitch * 1.2,
      height: pitch * 1.04,
      rx: pitch * 0.52,
    }),
    missing.map((seat, index) => {
      const style = styles.get(seat);
      return style && pawnShape(style, x + step * index, y, radius);
    }),
  );
}

/** @type {(missing: SeatName[], styles: SeatStyles) => string[]} */
function sentences(missing, styles) {
  return [...new Set(missing)].map((seat) => {
    const n = missing.filter((other) => other === seat).length;
    const color = colorName(seat, styles);
    return `${n > 1 ? t("missing-many", { color, n }) : t("missing-one", { color })} `;
  });
}
