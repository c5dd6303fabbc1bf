// What a view adds to the bare board: the last move, what the table really shows, legal moves, repairs.

import { s } from "../core/dom.js";
import { arrowShape, badge, pawnShape } from "./shapes.js";

const MANY = 3;

/** Draw the last move as an arrow: a tint alone is missed by who sees few colours. */
export function drawLastMove(board, move) {
  board.put(
    "last",
    (move?.arrows ?? []).map((arrow) => arrowOf(board, arrow, "last", 0)),
  );
}

/** Draw where the table differs from the accepted position; return the holes whose pawn is not there. */
export function drawSeen(board, seen) {
  const shapes = [];
  const gone = new Set();
  for (const [id, { state, seat }] of Object.entries(seen ?? {})) {
    const place = board.layout.at(id);
    if (!place) continue;
    if (state === "pawn") shapes.push(ghost(board, place, seat));
    else if (state === "empty") gone.add(id);
    else shapes.push(hatch(place, board.layout.pitch * 0.5));
  }
  board.put("seen", shapes);
  return gone;
}

function ghost(board, place, seat) {
  const look = board.looks.get(seat);
  if (look) return pawnShape(look, place.x, place.y, board.radius, "pawn ghost");
  return s("circle", { class: "ghost-unknown", cx: place.x, cy: place.y, r: board.radius });
}

function hatch({ x, y }, r) {
  const lines = [-0.6, 0, 0.6].map((step) => {
    const half = r * Math.sqrt(1 - step * step * 0.5) * 0.7;
    const [cx, cy] = [x + step * r * 0.7, y + step * r * 0.7];
    return `M${cx - half} ${cy + half}L${cx + half} ${cy - half}`;
  });
  return s("path", { class: "hatch", d: lines.join(""), "stroke-width": r * 0.16 });
}

/** Draw the legal moves: all targets, and the arrows of the chosen move or of a few. Numbers are those of the list. */
export function drawMoves(board, moves, chosen) {
  const shown = chosen === null ? moves : [moves[chosen]];
  const single = shown.length === 1;
  board.put("path", shown.length <= MANY ? shown.flatMap((move) => pathsOf(board, move, single)) : []);
  const targets = new Map();
  for (const move of shown) {
    const captured = new Set((move.captures ?? []).map(({ hole }) => hole));
    const swap = move.arrows.some(({ kind }) => kind === "swap");
    for (const id of move.targets) {
      const entry = targets.get(id) ?? { numbers: [], captured: false, swap };
      entry.numbers.push(moves.indexOf(move) + 1);
      entry.captured ||= captured.has(id);
      targets.set(id, entry);
    }
  }
  board.put(
    "targets",
    [...targets].map(([id, entry]) => targetShape(board, id, entry, !single)),
  );
}

/** The arrows of a move; when it is shown alone, the parts of a seven are numbered in their order. */
function pathsOf(board, move, single) {
  const numbered = single && move.arrows.length > 1;
  return move.arrows.flatMap((arrow, index) => {
    const swap = arrow.kind === "swap";
    const shape = arrowOf(board, arrow, "legal", swap ? 0.18 : 0, swap);
    if (!shape || !numbered) return [shape];
    const [from, to] = [board.layout.at(arrow.from), board.layout.at(arrow.to)];
    return [
      shape,
      badge((from.x + to.x) / 2, (from.y + to.y) / 2, board.layout.pitch * 0.42, String(index + 1), "step"),
    ];
  });
}

function arrowOf(board, { from, to }, className, bend, both = false) {
  const [start, end] = [board.layout.at(from), board.layout.at(to)];
  if (!start || !end) return null;
  const { pitch } = board.layout;
  return arrowShape(start, end, { width: pitch * 0.16, gap: pitch * 0.5, className, both, bend });
}

function targetShape(board, id, { numbers, captured, swap }, numbered) {
  const place = board.layout.at(id);
  if (!place) return null;
  const { pitch } = board.layout;
  const r = pitch * 0.56;
  const at = { transform: `translate(${place.x.toFixed(2)} ${place.y.toFixed(2)})` };
  const kind = captured ? "capture" : swap ? "swap" : "empty";
  const reach = r * 0.52;
  const cross = `M${-reach} ${-reach}L${reach} ${reach}M${reach} ${-reach}L${-reach} ${reach}`;
  return s(
    "g",
    { class: `target ${kind}`, ...at },
    s("circle", { class: "casing", r, "stroke-width": pitch * 0.26 }),
    s("circle", {
      class: "ring",
      r,
      "stroke-width": pitch * 0.14,
      "stroke-dasharray": kind === "empty" ? `${pitch * 0.3} ${pitch * 0.22}` : null,
    }),
    captured && s("path", { class: "cross-casing", d: cross, "stroke-width": pitch * 0.24 }),
    captured && s("path", { class: "cross", d: cross, "stroke-width": pitch * 0.12 }),
    numbered &&
      badge(
        r * 1.05,
        -r * 1.05,
        pitch * 0.36,
        numbers.length > 2 ? `${numbers[0]}…` : numbers.join("·"),
        "number",
      ),
  );
}

/** Draw the repair: what stands wrong (red ring, "!"), where it belongs (pulsing ring), arrows between. */
export function drawRepair(board, warning) {
  if (!warning) {
    board.put("repair");
    return;
  }
  const { pitch } = board.layout;
  const steps = (warning.repair ?? []).map(({ from_hole: from, to_hole: to }) => ({ from, to }));
  const wrong = new Set([...(warning.wrong ?? []), ...steps.map(({ from }) => from)]);
  const right = new Set([...(warning.right ?? []), ...steps.map(({ to }) => to)]);
  const rings = [];
  for (const id of right) rings.push(ringAt(board, id, "right", pitch * 0.6));
  for (const id of wrong) rings.push(ringAt(board, id, "wrong", pitch * 0.58), bangAt(board, id));
  const arrows = steps.filter((step) => far(board, step)).map((step) => arrowOf(board, step, "repair", 0));
  board.put("repair", arrows, rings);
}

/** Between neighbours there is no room for an arrow: the two rings say enough. */
function far(board, { from, to }) {
  const [start, end] = [board.layout.at(from), board.layout.at(to)];
  return start && end && Math.hypot(end.x - start.x, end.y - start.y) > board.layout.pitch * 1.8;
}

function ringAt(board, id, className, r) {
  const place = board.layout.at(id);
  const width = board.layout.pitch * 0.17;
  return (
    place && s("circle", { class: `mend ${className}`, cx: place.x, cy: place.y, r, "stroke-width": width })
  );
}

function bangAt(board, id) {
  const place = board.layout.at(id);
  const { pitch } = board.layout;
  return place && badge(place.x + pitch * 0.55, place.y - pitch * 0.55, pitch * 0.36, "!", "bang");
}
