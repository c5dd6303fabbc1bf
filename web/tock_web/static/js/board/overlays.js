// A view's additions to the bare board: the last move, the real table, legal moves, repairs.

import { s } from "../core/dom.js";
import { arrowOf, drawRepair } from "./mending.js";
import { badge, hatchShape, pawnShape } from "./shapes.js";
import { drawTags, namedHoles } from "./tags.js";

/** @import { Arrow, BoardView, DrawnMove, HoleId, Place, SeatName, SeenHole } from "#types" */
/** @import { Board } from "./board.js" */
/** @typedef {{ numbers: number[], captured: boolean, swap: boolean }} Target */

/** With more moves than this, arrows would hide the board; the targets say enough. */
const MAX_ARROWED_MOVES = 3;

/**
 * Return a function that brings a board up to date with a view; `chosen` is the index of the move pointed at.
 */
export function viewPainter(/** @type {Board} */ board) {
  /** @type {string | null} */
  let last = null;
  /** @type {(view: BoardView, chosen?: number | null) => void} */
  const paint = (view, chosen = null) => {
    const { holes, seen, last_move: lastMove, warning, guidance = null } = view;
    // A computer's request to people is drawn like a legal move.
    const moves = view.planned ? [view.planned] : (view.legal_moves ?? []);
    const drawn = [lastMove, moves, warning, guidance, view.question, chosen];
    const key = JSON.stringify([board.layout.angle, holes, seen, ...drawn]);
    if (key === last) return;
    last = key;
    board.markPawns(holes);
    board.markTargets(new Set(moves.flatMap((move) => move.targets)));
    board.drawPawns(holes, drawSeen(board, seen), lastMove?.arrows);
    drawLastMove(board, moves.length || warning ? null : lastMove);
    drawMoves(board, warning ? [] : moves, warning ? null : chosen);
    drawRepair(board, warning, guidance);
    drawTags(board, namedHoles(view, chosen === null ? moves : [moves[chosen]]));
  };
  return paint;
}

/**
 * Draw the last move as an arrow: a tint alone is missed by people who see few colours.
 * @type {(board: Board, move: { arrows: Arrow[] } | null) => void}
 */
export function drawLastMove(board, move) {
  board.put(
    "last",
    (move?.arrows ?? []).map((arrow) => arrowOf(board, arrow, "last", 0)),
  );
}

/**
 * Draw where the table differs from the accepted position; returns the holes that lack their pawn.
 * @type {(board: Board, seen: Record<HoleId, SeenHole> | undefined) => Set<string>}
 */
export function drawSeen(board, seen) {
  /** @type {Set<HoleId>} */
  const gone = new Set();
  const shapes = Object.entries(seen ?? {}).map(([id, { state, seat }]) => {
    const place = board.layout.at(id);
    if (!place) return null;
    if (state === "pawn") return ghost(board, place, seat);
    if (state === "unknown") return hatchShape(place, board.layout.pitch * 0.5);
    gone.add(id);
    return null;
  });
  board.put("seen", shapes);
  return gone;
}

/** @type {(board: Board, place: Place, seat: SeatName | null) => SVGGElement} */
function ghost(board, place, seat) {
  const style = board.styles.get(seat ?? "");
  if (style) return pawnShape(style, place.x, place.y, board.radius, "pawn ghost");
  return s("circle.ghost-unknown", { cx: place.x, cy: place.y, r: board.radius });
}

/**
 * Draw the targets of the chosen move, or of all, numbered as in the list; arrows only if there are few moves.
 * @type {(board: Board, moves: DrawnMove[], chosen: number | null) => void}
 */
export function drawMoves(board, moves, chosen) {
  const shown = chosen === null ? moves : [moves[chosen]];
  const single = shown.length === 1;
  const isArrowed = shown.length <= MAX_ARROWED_MOVES;
  board.put("path", isArrowed ? shown.map((move) => pathsOf(board, move, single)) : []);
  const targets = [...targetsOf(moves, shown)];
  board.put(
    "targets",
    targets.map(([id, target]) => targetShape(board, id, target, !single)),
  );
}

/**
 * The holes where the shown moves end, each with the numbers of its moves in the list of all.
 * @type {(moves: DrawnMove[], shown: DrawnMove[]) => Map<string, Target>}
 */
export function targetsOf(moves, shown) {
  /** @type {Map<HoleId, Target>} */
  const targets = new Map();
  for (const move of shown) {
    const captured = new Set((move.captures ?? []).map(({ hole }) => hole));
    const swap = move.arrows.some(({ kind }) => kind === "swap");
    for (const id of move.targets) {
      const target = targets.get(id) ?? { numbers: [], captured: false, swap };
      target.numbers.push(moves.indexOf(move) + 1);
      target.captured ||= captured.has(id);
      targets.set(id, target);
    }
  }
  return targets;
}

/**
 * The arrows of a move; when it is shown alone, the parts of a seven are numbered in their order.
 * @type {(board: Board, move: DrawnMove, single: boolean) => (SVGGElement | (SVGGElement | null)[] | null)[]}
 */
function pathsOf(board, move, single) {
  const numbered = single && move.arrows.length > 1;
  return move.arrows.map((arrow, index) => {
    const swap = arrow.kind === "swap";
    const shape = arrowOf(board, arrow, "legal", swap ? 0.18 : 0, swap);
    const [from, to] = [board.layout.at(arrow.from), board.layout.at(arrow.to)];
    if (!numbered || !from || !to) return shape;
    const r = board.layout.pitch * 0.42;
    return [shape, badge((from.x + to.x) / 2, (from.y + to.y) / 2, r, String(index + 1), "step")];
  });
}

/** @type {(board: Board, id: HoleId, target: Target, numbered: boolean) => SVGGElement | null} */
function targetShape(board, id, { numbers, captured, swap }, numbered) {
  const place = board.layout.at(id);
  if (!place) return null;
  const { pitch } = board.layout;
  const r = pitch * 0.56;
  const kind = captured ? "capture" : swap ? "swap" : "empty";
  const reach = r * 0.52;
  const cross = `M${-reach} ${-reach}L${reach} ${reach}M${reach} ${-reach}L${-reach} ${reach}`;
  const dashes = kind === "empty" ? `${pitch * 0.3} ${pitch * 0.22}` : null;
  const label = numbers.length > 2 ? `${numbers[0]}…` : numbers.join("·");
  return s(
    "g",
    { class: `target ${kind}`, transform: `translate(${place.x.toFixed(2)} ${place.y.toFixed(2)})` },
    s("circle.casing", { r, "stroke-width": pitch * 0.26 }),
    s("circle.ring", { r, "stroke-width": pitch * 0.14, "stroke-dasharray": dashes }),
    captured && s("path.cross-casing", { d: cross, "stroke-width": pitch * 0.24 }),
    captured && s("path.cross", { d: cross, "stroke-width": pitch * 0.12 }),
    numbered && badge(r * 1.05, -r * 1.05, pitch * 0.36, label, "number"),
  );
}
