// The drawn things of a board: marks, pawns, arrows, rings.

import { s } from "../core/dom.js";

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

/** Return the mark of a seat, centred on 0,0, fitting into a circle of radius `r`. */
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

/** Return a pawn with its double rim and mark, centred on x,y. */
export function pawnShape(look, x, y, r, kind = "pawn") {
  return s(
    "g",
    { class: kind, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
    s("circle", { r, fill: "#000" }),
    s("circle", { r: r * 0.92, fill: "#fff" }),
    s("circle", { r: r * 0.82, fill: look.fill }),
    markShape(look.mark, r * 0.52, look.ink),
  );
}

/** Return a small picture of a seat's pawn for lists and buttons. */
export function pawnIcon(look, className = "pawn-icon") {
  const icon = s("svg", {
    viewBox: "-10 -10 20 20",
    class: className,
    "aria-hidden": "true",
    focusable: "false",
  });
  if (look) icon.append(pawnShape(look, 0, 0, 9.5));
  return icon;
}

/** Return an arrow between two places, ending short of both holes so that no pawn is hidden. */
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
    s("path", { class: "casing", d, fill: "none", "stroke-width": width * 1.9 }),
    s("path", { class: "casing-head", d: heads, "stroke-width": width * 0.9 }),
    s("path", { class: "shaft", d, fill: "none", "stroke-width": width }),
    s("path", { class: "head", d: heads }),
  );
}

function towards(point, other, distance) {
  const length = Math.hypot(other.x - point.x, other.y - point.y) || 1;
  const share = Math.min(distance / length, 0.9);
  return { x: point.x + (other.x - point.x) * share, y: point.y + (other.y - point.y) * share };
}

function headPath(tip, tail, size) {
  const angle = Math.atan2(tip.y - tail.y, tip.x - tail.x);
  const corner = (side) => {
    const x = tip.x - size * Math.cos(angle + side);
    const y = tip.y - size * Math.sin(angle + side);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  };
  return `M${tip.x.toFixed(2)} ${tip.y.toFixed(2)}L${corner(0.48)}L${corner(-0.48)}Z`;
}

/** Return a round label with a short text, for numbered targets and steps. */
export function badge(x, y, r, text, className) {
  return s(
    "g",
    { class: `badge ${className}`, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})` },
    s("circle", { r }),
    s("text", { "font-size": r * (text.length > 1 ? 1.1 : 1.5), "text-anchor": "middle", y: r * 0.48 }, text),
  );
}
