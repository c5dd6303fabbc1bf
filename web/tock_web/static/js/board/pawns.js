// The pawns of a position, each drawn once and kept: only those that have moved are touched.

import { walk, walksBetween, wayOf } from "./motion.js";
import { pawnShape } from "./shapes.js";

/** @import { Arrow, HoleId, SeatStyles, SeatName, Standing } from "#types" */
/** @import { Layout } from "./layout.js" */
/** @typedef {{ hole: HoleId, seat: SeatName, kind: string, shape: SVGGElement }} DrawnPawn */

const RADIUS_PITCHES = 0.44;

/** The radius of a pawn in millimetres. @param {Layout} layout */
export function radiusOn(layout) {
  return layout.pitch * RADIUS_PITCHES;
}

export class Pawns {
  /** @param {SVGGElement} layer @param {Layout} layout @param {SeatStyles} styles */
  constructor(layer, layout, styles) {
    layer.replaceChildren();
    this.layer = layer;
    this.layout = layout;
    this.styles = styles;
    /**
     * Those that are drawn, by hole; null before the first position.
     * @type {Map<HoleId, DrawnPawn> | null}
     */
    this.drawn = null;
  }

  /**
   * Draw a position; a pawn that stands elsewhere than before walks there.
   *
   * @param {Standing} holes
   * @param {Set<HoleId>} faint
   * @param {readonly Arrow[]} arrows of the move that led here
   */
  show(holes, faint, arrows) {
    const before = this.drawn ?? new Map();
    /** @type {Map<HoleId, DrawnPawn>} */
    const now = new Map();
    for (const [hole, seat] of Object.entries(holes)) {
      const pawn = { hole, seat, kind: faint.has(hole) ? "pawn faint" : "pawn" };
      const shape = this.shapeOf(pawn, before.get(hole));
      if (shape) now.set(hole, { ...pawn, shape });
    }
    const gone = [...before.values()].filter(({ hole, seat }) => now.get(hole)?.seat !== seat);
    const come = [...now.values()].filter(({ hole, seat }) => before.get(hole)?.seat !== seat);
    for (const { shape } of gone) shape.remove();
    this.layer.append(...come.map(({ shape }) => shape));
    if (this.drawn) {
      for (const { from, to } of walksBetween(gone, come, arrows)) {
        const shape = now.get(to)?.shape;
        if (shape) walk(shape, wayOf(this.layout, { from, to }));
      }
    }
    this.drawn = now;
  }

  /**
   * The shape of a pawn: the one that stands there already, if it is of the same seat.
   * @type {(pawn: Omit<DrawnPawn, "shape">, old: DrawnPawn | undefined) => SVGGElement | undefined}
   */
  shapeOf({ hole, seat, kind }, old) {
    if (old?.seat === seat) {
      if (old.kind !== kind) old.shape.setAttribute("class", kind);
      return old.shape;
    }
    const [place, style] = [this.layout.at(hole), this.styles.get(seat)];
    return place && style && pawnShape(style, place.x, place.y, radiusOn(this.layout), kind);
  }
}
