// The fixed parts of a board: wood, lines between holes, camps, homes and the holes themselves.

import { s } from "../core/dom.js";
import { mean } from "./layout.js";

/** @import { SeatStyle, SeatStyles, Place } from "#types" */
/** @import { Layout } from "./layout.js" */

const GRAIN_LINES = 13;

/**
 * The shapes of the wood layer and of the holes layer.
 * @type {(layout: Layout, styles: SeatStyles) => SVGElement[][]}
 */
export function drawWood(layout, styles) {
  const { pitch } = layout;
  /** @type {SVGElement[]} */
  const wood = [...plate(layout), ...grain(layout), trackLine(layout)];
  for (const style of styles.values()) wood.push(...homeLane(layout, style), ...camp(layout, style));
  /** @type {SVGElement[]} */
  const holes = [];
  for (const { hole, x, y } of layout.places.values()) {
    const style = styles.get(layout.ownerOf(hole) ?? "");
    const r = Math.min(hole.d / 2, pitch * 0.34);
    if (style) holes.push(s("circle.hole-rim", { cx: x, cy: y, r: r + pitch * 0.11, fill: style.fill }));
    holes.push(s("circle.hole", { cx: x, cy: y, r, fill: "url(#drilled)" }));
  }
  return [wood, holes];
}

/**
 * The numbers printed at the track: from 1 in each zone, the start hole being the last of the zone before it.
 */
export function drawNumbers(/** @type {Layout} */ layout) {
  const size = layout.pitch * 0.34;
  return layout.ofKind("track").map(({ hole: { index }, x, y }) => {
    const number = index % layout.zone || layout.zone;
    const place = { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" };
    return s("text.hole-number", { ...place }, String(number));
  });
}

/** The frame, and the board in it. @param {Layout} layout */
function plate({ box, pitch }) {
  /** @param {number} inset */
  const within = (inset) => ({
    x: box.left + inset,
    y: box.top + inset,
    width: box.width - 2 * inset,
    height: box.height - 2 * inset,
    rx: Math.max(pitch * 0.8 - inset, pitch * 0.3),
  });
  return [
    s("rect.frame", { ...within(0) }),
    s("rect.bevel", { ...within(pitch * 0.1), "stroke-width": pitch * 0.07 }),
    s("rect.plate", { ...within(pitch * 0.3), fill: "url(#wood)", "stroke-width": pitch * 0.06 }),
  ];
}

/** The grain of the wood: waves along the board, no two alike. @param {Layout} layout */
function grain({ box, pitch }) {
  const [inset, high] = [pitch * 0.4, box.height - pitch * 1.6];
  const [left, right] = [box.left + inset, box.left + box.width - inset];
  return Array.from({ length: GRAIN_LINES }, (_, line) => {
    /** @param {number} salt */
    const chance = (salt) => Math.abs(Math.sin((line + 1) * 12.9898 + salt * 78.233)) - 0.5;
    const y = box.top + pitch * 0.8 + (high * (line + 0.5 + chance(1) * 0.8)) / GRAIN_LINES;
    const [one, two] = [chance(2), chance(3)].map((share) => share * pitch * 1.7);
    const third = (right - left) / 3;
    const bends = `${left + third} ${y + one} ${left + 2 * third} ${y - two} ${right} ${y + one * 0.4}`;
    const width = pitch * (0.1 + 0.14 * (chance(4) + 0.5));
    return s("path.grain", { d: `M${left} ${y}C${bends}`, "stroke-width": width.toFixed(2) });
  });
}

/** @param {Pick<Place, "x" | "y">[]} places */
function corners(places) {
  return places.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}

/** @param {Layout} layout */
function trackLine(layout) {
  const points = corners(layout.ofKind("track"));
  return s("polygon.track-line", { points, "stroke-width": layout.pitch * 0.1 });
}

/**
 * The line from the track into a home, and its coloured lane.
 * @type {(layout: Layout, style: SeatStyle) => SVGPolylineElement[]}
 */
function homeLane(layout, { seat, fill }) {
  const lane = layout.ofKind("home", seat);
  if (!lane.length) return [];
  const entrance = layout.entranceOf(seat);
  const { pitch } = layout;
  return [
    s("polyline.track-line", { points: corners([entrance, ...lane]), "stroke-width": pitch * 0.1 }),
    s("polyline.lane.edge", { points: corners(lane), "stroke-width": pitch * 1.06 }),
    s("polyline.lane", { points: corners(lane), stroke: fill, "stroke-width": pitch * 0.94 }),
  ];
}

/**
 * The coloured ground of a camp: one shape around its holes.
 * @type {(layout: Layout, style: SeatStyle) => SVGGElement[]}
 */
function camp(layout, { seat, fill }) {
  const places = layout.ofKind("camp", seat);
  if (!places.length) return [];
  const centre = mean(places);
  const ring = places.map(({ x, y }) => ({ x, y, angle: Math.atan2(y - centre.y, x - centre.x) }));
  const points = corners(ring.sort((a, b) => a.angle - b.angle));
  const shape = { points, fill, stroke: fill, "stroke-width": layout.pitch * 1.05 };
  const edge = { class: "camp edge", points, "stroke-width": layout.pitch * 1.17 };
  return [s("polygon", edge), s("g.camp", s("polygon", shape))];
}
