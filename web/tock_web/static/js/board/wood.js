// What never moves on a board: wood, lines between holes, camps, homes and the holes themselves.

import { s } from "../core/dom.js";

/** Return the shapes of the wood layer and of the holes layer. */
export function drawWood(layout, looks) {
  const { pitch } = layout;
  const wood = [plate(layout), trackLine(layout)];
  for (const look of looks.values()) {
    wood.push(...homeLane(layout, look, pitch), camp(layout, look, pitch));
  }
  const holes = [];
  for (const { hole, x, y } of layout.places.values()) {
    const owner = ownerOf(hole);
    const look = looks.get(owner);
    const r = Math.min(hole.d / 2, pitch * 0.34);
    if (look)
      holes.push(s("circle", { cx: x, cy: y, r: r + pitch * 0.11, fill: look.fill, class: "hole-rim" }));
    holes.push(s("circle", { cx: x, cy: y, r, class: "hole" }));
  }
  return [wood, holes];
}

/** Return the numbers printed at the track. */
export function drawNumbers(layout) {
  return layout.ofKind("track").map(({ hole, x, y }) => printedNumber(hole, x, y, layout.pitch * 0.34));
}

/** The seat whose colour rings a hole: camps, homes and start holes. */
function ownerOf(hole) {
  if (hole.seat) return hole.seat;
  return hole.kind === "track" && hole.index % 18 === 0 ? `P${hole.index / 18}` : null;
}

/** The number printed at a track hole: 1 to 18 in each zone, the start hole being the 18 of the zone before it. */
function printedNumber({ index }, x, y, size) {
  const number = ((index + 17) % 18) + 1;
  return s(
    "text",
    { class: "hole-number", x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" },
    String(number),
  );
}

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

function trackLine(layout) {
  const points = layout.ofKind("track").map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`);
  return s("polygon", { class: "track-line", points: points.join(" "), "stroke-width": layout.pitch * 0.1 });
}

function homeLane(layout, look, pitch) {
  const seat = look.seat;
  const zone = Number(seat.slice(1));
  const track = layout.ofKind("track");
  const entrance = track[(18 * zone - 2 + track.length) % track.length];
  const lane = layout.ofKind("home", seat);
  if (!lane.length) return [];
  const way = [entrance, ...lane].map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
  const inner = lane.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
  return [
    s("polyline", { class: "track-line", points: way, "stroke-width": pitch * 0.1 }),
    s("polyline", { class: "lane", points: inner, stroke: look.fill, "stroke-width": pitch * 0.95 }),
  ];
}

function camp(layout, look, pitch) {
  const places = layout.ofKind("camp", look.seat);
  if (!places.length) return null;
  const centre = {
    x: places.reduce((sum, place) => sum + place.x, 0) / places.length,
    y: places.reduce((sum, place) => sum + place.y, 0) / places.length,
  };
  const ring = places.map(({ x, y }) => ({ x, y, angle: Math.atan2(y - centre.y, x - centre.x) }));
  const points = ring.sort((a, b) => a.angle - b.angle).map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`);
  return s(
    "g",
    { class: "camp" },
    s("polygon", {
      points: points.join(" "),
      fill: look.fill,
      stroke: look.fill,
      "stroke-width": pitch * 1.05,
    }),
  );
}
