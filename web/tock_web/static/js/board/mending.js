// Rings and arrows where the board must be put right, or a move must be finished.

import { s } from "../core/dom.js";
import { arrowShape, badge } from "./shapes.js";

/** @import { BoardWarning, GuidanceInfo, HoleId, SpotInfo } from "#types" */
/** @import { Board } from "./board.js" */
/** @typedef {{ from: HoleId, to: HoleId }} RepairArrow */

/** More rings than this would confuse. */
const MAX_RINGED_PLACES = 12;

/**
 * @param {Board} board
 * @param {RepairArrow} step
 * @param {string} className
 * @param {number} bend
 * @param {boolean} [both]
 */
export function arrowOf(board, { from, to }, className, bend, both = false) {
  const [start, end] = [board.layout.at(from), board.layout.at(to)];
  if (!start || !end) return null;
  const { pitch } = board.layout;
  return arrowShape(start, end, { width: pitch * 0.16, gap: pitch * 0.5, className, both, bend });
}

/**
 * Draw the repair: misplaced pawns (red ring, "!"), their proper places (pulsing ring), and arrows between.
 * @type {(board: Board, warning: BoardWarning | null, guidance?: GuidanceInfo | null) => void}
 */
export function drawRepair(board, warning, guidance = null) {
  if (!warning) {
    board.put("repair", guidance && drawGuidance(board, guidance));
    return;
  }
  const { pitch } = board.layout;
  const steps = (warning.repair ?? []).map(({ from_hole: from, to_hole: to }) => ({ from, to }));
  const wrong = new Set([...(warning.wrong ?? []), ...steps.map(({ from }) => from)]);
  const right = new Set([...(warning.right ?? []), ...steps.map(({ to }) => to)]);
  const arrows = steps.filter((step) => isJump(board, step)).map((step) => arrowOf(board, step, "repair", 0));
  board.put(
    "repair",
    arrows,
    [...right].map((id) => ringAt(board, id, "right", pitch * 0.6)),
    [...wrong].map((id) => [ringAt(board, id, "wrong", pitch * 0.58), bangAt(board, id)]),
    warning.spots.map((spot) => spotAt(board, spot)),
  );
}

/**
 * Rings where a move must be finished, and around pawns that lie beside the holes; a move to be copied as arrows.
 * @type {(board: Board, guidance: GuidanceInfo) => (SVGGElement | null | undefined)[][]}
 */
function drawGuidance(board, { code, places, spots, steps }) {
  if (code === "elsewhere/copy")
    return steps.map(({ from_hole: from, to_hole: to }) => [
      arrowOf(board, { from, to }, "legal", 0),
      ringAt(board, to, "right", board.layout.pitch * 0.6),
    ]);
  const isMany = places.length > MAX_RINGED_PLACES;
  const rings = isMany ? [] : places.map((id) => ringAt(board, id, "calm", board.layout.pitch * 0.6));
  return [rings, spots.map((spot) => spotAt(board, spot))];
}

/** @type {(board: Board, spot: SpotInfo) => SVGCircleElement} */
function spotAt(board, { x_mm, y_mm }) {
  const { x, y } = board.layout.toScreen({ x: x_mm, y: y_mm });
  const { pitch } = board.layout;
  return s("circle.mend.calm.spot", {
    testid: "spot",
    cx: x,
    cy: y,
    r: pitch * 0.8,
    "stroke-width": pitch * 0.2,
  });
}

/**
 * Neighbouring holes leave no room for an arrow; the two rings say enough.
 * @type {(board: Board, step: RepairArrow) => boolean | undefined}
 */
function isJump(board, { from, to }) {
  const [start, end] = [board.layout.at(from), board.layout.at(to)];
  return start && end && Math.hypot(end.x - start.x, end.y - start.y) > board.layout.pitch * 1.8;
}

/** @param {Board} board @param {HoleId} id @param {"right" | "wrong" | "calm"} className @param {number} r */
export function ringAt(board, id, className, r) {
  const place = board.layout.at(id);
  const width = board.layout.pitch * 0.17;
  return (
    place && s("circle", { class: `mend ${className}`, cx: place.x, cy: place.y, r, "stroke-width": width })
  );
}

/** @type {(board: Board, id: HoleId) => SVGGElement | undefined} */
function bangAt(board, id) {
  const place = board.layout.at(id);
  const { pitch } = board.layout;
  return place && badge(place.x + pitch * 0.55, place.y - pitch * 0.55, pitch * 0.36, "!", "bang");
}
