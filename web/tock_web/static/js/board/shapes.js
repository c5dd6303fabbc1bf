// The drawn things of a board: colours and marks of the seats, pawns, arrows, rings.

import { s } from "../core/dom.js";

/** @import { BoardFile, SeatStyle, SeatStyles, Mark, Point } from "#types" */

/**
 * Colours alone fail one player in twelve, so every seat has a mark as well. [fill, ink of the mark, mark]
 * @type {Record<string, [string, string, Mark | null]>}
 */
const PALETTE = {
  red: ["#A4161A", "#FFFFFF", "dot"],
  blue: ["#0B5FB0", "#FFFFFF", "plus"],
  yellow: ["#F9E04B", "#000000", "square"],
  green: ["#3FB27F", "#000000", "triangle"],
  black: ["#1A1A1A", "#FFFFFF", "star"],
  white: ["#FFFFFF", "#000000", "diamond"],
  orange: ["#E8710A", "#000000", "cross"],
  purple: ["#C77DFF", "#000000", "ring"],
  brown: ["#7A4A21", "#FFFFFF", null],
  grey: ["#8C8C8C", "#000000", null],
  pink: ["#F4A6C0", "#000000", null],
  turquoise: ["#2BA5A5", "#000000", null],
};
/** @type {Mark[]} */
const MARKS = ["dot", "plus", "square", "triangle", "star", "diamond", "cross", "ring"];

/**
 * Give each seat its appearance; colours without a mark of their own get one that is still free.
 * @type {(boardFile: Pick<BoardFile, "zones" | "colors">) => SeatStyles}
 */
export function seatStyles(boardFile) {
  /** @type {SeatStyles} */
  const styles = new Map();
  /** @type {Set<Mark>} */
  const used = new Set();
  const seats = Array.from({ length: boardFile.zones }, (_, zone) => `P${zone}`);
  for (const seat of seats) {
    const color = boardFile.colors[seat] in PALETTE ? boardFile.colors[seat] : "grey";
    const [fill, ink, mark] = PALETTE[color];
    const own = mark !== null && !used.has(mark) ? mark : null;
    if (own) used.add(own);
    styles.set(seat, { seat, color, fill, ink, mark: own ?? undefined });
  }
  const free = MARKS.filter((mark) => !used.has(mark));
  for (const style of styles.values()) style.mark ??= free.shift();
  return styles;
}

/**
 * The corners of a regular polygon or, with another `inner` radius, of a star.
 *
 * @param {number} corners
 * @param {number} radius
 * @param {number} [inner]
 * @param {number} [turn] in degrees
 */
function polygon(corners, radius, inner = radius, turn = -90) {
  const points = [];
  const count = inner === radius ? corners : corners * 2;
  for (let corner = 0; corner < count; corner += 1) {
    const angle = ((turn + (360 / count) * corner) * Math.PI) / 180;
    const length = corner % 2 && inner !== radius ? inner : radius;
    points.push(`${(length * Math.cos(angle)).toFixed(3)},${(length * Math.sin(angle)).toFixed(3)}`);
  }
  return points.join(" ");
}

/**
 * The mark of a seat, centred on 0,0, fitting into a circle of radius `r`.
 * @type {(mark: Mark | undefined, r: number, ink: string) => SVGElement}
 */
export function markShape(mark, r, ink) {
  const line = { fill: "none", stroke: ink, "stroke-width": r * 0.42, "stroke-linecap": "round" };
  const solid = { fill: ink };
  const arm = r * 0.78;
  const slant = r * 0.6;
  switch (mark) {
    case "plus":
      return s("path", { ...line, d: `M${-arm} 0H${arm}M0 ${-arm}V${arm}` });
    case "cross":
      return s("path", {
        ...line,
        d: `M${-slant} ${-slant}L${slant} ${slant}M${slant} ${-slant}L${-slant} ${slant}`,
      });
    case "ring":
      return s("circle", { ...line, r: r * 0.66, "stroke-width": r * 0.36 });
    case "square":
      return s("rect", { ...solid, x: -r * 0.66, y: -r * 0.66, width: r * 1.32, height: r * 1.32 });
    case "triangle":
      return s("polygon", { ...solid, points: polygon(3, r) });
    case "diamond":
      return s("polygon", { ...solid, points: polygon(4, r) });
    case "star":
      return s("polygon", { ...solid, points: polygon(5, r, r * 0.42) });
    default:
      return s("circle", { ...solid, r: r * 0.62 });
  }
}

/**
 * A pawn with its double rim and mark, centred on x,y.
 *
 * @param {SeatStyle} style
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} [kind] its classes
 */
export function pawnShape(style, x, y, r, kind = "pawn") {
  return s(
    "g",
    { class: kind, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
    s("circle.pawn-shade", { cx: r * 0.08, cy: r * 0.16, r: r * 1.04 }),
    s("circle", { r, fill: "#000" }),
    s("circle", { r: r * 0.93, fill: "#fff" }),
    s("circle", { r: r * 0.84, fill: style.fill }),
    s("circle", { r: r * 0.84, fill: "url(#gloss)" }),
    markShape(style.mark, r * 0.52, style.ink),
  );
}

/** A small picture of a seat's pawn for lists and buttons. @param {SeatStyle | undefined} style */
export function pawnIcon(style) {
  const icon = s("svg.pawn-icon", {
    viewBox: "-10 -10 20 20",
    "aria-hidden": "true",
    focusable: "false",
  });
  if (style) icon.append(pawnShape(style, 0, -0.5, 8.7));
  return icon;
}

/**
 * An arrow between two places, short of both holes so that it hides no pawn.
 *
 * @param {Point} from
 * @param {Point} to
 * @param {{ width: number, gap: number, className: string, both?: boolean, bend?: number }} style
 *   `both`: a head at either end; `bend`: how far the middle is pushed aside, as a share of the length
 */
export function arrowShape(from, to, { width, gap, className, both = false, bend = 0 }) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const middle = { x: (from.x + to.x) / 2 - uy * bend * length, y: (from.y + to.y) / 2 + ux * bend * length };
  const start = towards(from, middle, gap);
  const end = towards(to, middle, gap);
  const head = width * 3;
  const neckEnd = towards(end, middle, head * 0.8);
  const neckStart = both ? towards(start, middle, head * 0.8) : start;
  const d = `M${neckStart.x} ${neckStart.y}Q${middle.x} ${middle.y} ${neckEnd.x} ${neckEnd.y}`;
  const heads = [headPath(end, middle, head), both ? headPath(start, middle, head) : ""].join("");
  return s(
    "g",
    { class: `arrow ${className}` },
    s("path.casing", { d, fill: "none", "stroke-width": width * 1.9 }),
    s("path.casing-head", { d: heads, "stroke-width": width * 0.9 }),
    s("path.shaft", { d, fill: "none", "stroke-width": width }),
    s("path.head", { d: heads }),
  );
}

/** @type {(point: Point, other: Point, distance: number) => { x: number, y: number }} */
function towards(point, other, distance) {
  const length = Math.hypot(other.x - point.x, other.y - point.y) || 1;
  const share = Math.min(distance / length, 0.9);
  return { x: point.x + (other.x - point.x) * share, y: point.y + (other.y - point.y) * share };
}

/** @type {(tip: Point, tail: Point, size: number) => string} */
function headPath(tip, tail, size) {
  const angle = Math.atan2(tip.y - tail.y, tip.x - tail.x);
  /** @param {number} side in radians */
  const corner = (side) => {
    const x = tip.x - size * Math.cos(angle + side);
    const y = tip.y - size * Math.sin(angle + side);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  };
  return `M${tip.x.toFixed(2)} ${tip.y.toFixed(2)}L${corner(0.48)}L${corner(-0.48)}Z`;
}

/**
 * A round label with a short text, for numbered targets and steps.
 * @type {(x: number, y: number, r: number, text: string, className: string) => SVGGElement}
 */
export function badge(x, y, r, text, className) {
  return s(
    "g",
    { class: `badge ${className}`, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
    s("circle", { r }),
    s("text", { "font-size": r * (text.length > 1 ? 1.1 : 1.5), "text-anchor": "middle", y: r * 0.48 }, text),
  );
}

/** Hatching over a hole that is occluded. @type {(place: Point, r: number) => SVGPathElement} */
export function hatchShape({ x, y }, r) {
  const lines = [-0.6, 0, 0.6].map((step) => {
    const half = r * Math.sqrt(1 - step * step * 0.5) * 0.7;
    const [cx, cy] = [x + step * r * 0.7, y + step * r * 0.7];
    return `M${cx - half} ${cy + half}L${cx + half} ${cy - half}`;
  });
  return s("path.hatch", { d: lines.join(""), "stroke-width": r * 0.16 });
}
