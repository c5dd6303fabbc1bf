// What never moves on a board: wood, lines between holes, camps, homes and the holes themselves.

import { s } from "../core/dom.js";
import { mean } from "./layout.js";

/** @import { Hole, Look, Looks, Place } from "#types" */
/** @import { Layout } from "./layout.js" */

/** Holes of the track that belong to one seat. */
const ZONE_HOLES = 18;

/**
 * The shapes of the wood layer and of the holes layer.
 *
 * @param {Layout} layout
 * @param {Looks} looks
 */
export function drawWood(layout, looks) {
  const { pitch } = layout;
  /** @type {SVGElement[]} */
  const wood = [plate(layout), trackLine(layout)];
  for (const look of looks.values()) wood.push(...homeLane(layout, look), ...camp(layout, look));
  /** @type {SVGElement[]} */
  const holes = [];
  for (const { hole, x, y } of layout.places.values()) {
    const look = looks.get(ownerOf(hole) ?? "");
    const r = Math.min(hole.d / 2, pitch * 0.34);
    if (look)
      holes.push(s("circle", { cx: x, cy: y, r: r + pitch * 0.11, fill: look.fill, class: "hole-rim" }));
    holes.push(s("circle", { cx: x, cy: y, r, class: "hole" }));
  }
  return [wood, holes];
}

/**
 * The numbers printed at the track: 1 to 18 in each zone, the start hole being the 18 of the zone before it.
 *
 * @param {Layout} layout
 */
export function drawNumbers(layout) {
  const size = layout.pitch * 0.34;
  return layout.ofKind("track").map(({ hole: { index }, x, y }) => {
    const number = ((index + ZONE_HOLES - 1) % ZONE_HOLES) + 1;
    const place = { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" };
    return s("text", { class: "hole-number", ...place }, String(number));
  });
}

/**
 * The seat whose colour rings a hole: camps, homes and start holes.
 *
 * @param {Hole} hole
 */
function ownerOf(hole) {
  if (hole.seat) return hole.seat;
  return hole.kind === "track" && hole.index % ZONE_HOLES === 0 ? `P${hole.index / ZONE_HOLES}` : null;
}

/** @param {Layout} layout */
function plate({ box, pitch }) {
  const inset = pitch * 0.12;
  return s("rect", {
    class: "plate",
    x: box.left + inset,
    y: box.top + inset,
    width: box.width - 2 * inset,
    height: box.height - 2 * inset,
    rx: pitch * 0.9,
    "stroke-width": inset * 1.6,
  });
}

/** @param {Pick<Place, "x" | "y">[]} places */
function corners(places) {
  return places.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}

/** @param {Layout} layout */
function trackLine(layout) {
  const points = corners(layout.ofKind("track"));
  return s("polygon", { class: "track-line", points, "stroke-width": layout.pitch * 0.1 });
}

/**
 * The line from the track into a home, and its coloured lane.
 *
 * @param {Layout} layout
 * @param {Look} look
 */
function homeLane(layout, { seat, fill }) {
  const zone = Number(seat.slice(1));
  const track = layout.ofKind("track");
  const entrance = track[(ZONE_HOLES * zone - 2 + track.length) % track.length];
  const lane = layout.ofKind("home", seat);
  if (!lane.length) return [];
  const { pitch } = layout;
  return [
    s("polyline", { class: "track-line", points: corners([entrance, ...lane]), "stroke-width": pitch * 0.1 }),
    s("polyline", { class: "lane", points: corners(lane), stroke: fill, "stroke-width": pitch * 0.95 }),
  ];
}

/**
 * The coloured ground of a camp: one shape around its holes.
 *
 * @param {Layout} layout
 * @param {Look} look
 */
function camp(layout, { seat, fill }) {
  const places = layout.ofKind("camp", seat);
  if (!places.length) return [];
  const centre = mean(places);
  const ring = places.map(({ x, y }) => ({ x, y, angle: Math.atan2(y - centre.y, x - centre.x) }));
  const points = corners(ring.sort((a, b) => a.angle - b.angle));
  const shape = { points, fill, stroke: fill, "stroke-width": layout.pitch * 1.05 };
  return [s("g", { class: "camp" }, s("polygon", shape))];
}
