// The numbers of those holes that a sentence beside the board names, each next to its hole.

import { s } from "../core/dom.js";

/** @import { BoardView, DrawnMove, HoleId, Place, Point } from "#types" */
/** @import { Board } from "./board.js" */
/** @import { Layout } from "./layout.js" */

const SIZE_PITCHES = 0.62;
/** Smaller figures cannot be read at arm's length. */
const SIZE_PX = 11.5;
const AWAY_PITCHES = 0.62;
/** Half of a number of two figures with its casing. */
const EDGE_SIZES = 0.75;
/** More numbers than these would cover each other: the list is quicker to read. */
const MAX_TAGS = 10;
/** Below and to the left first: the numbers of moves stand on the other side. */
const SIDES = [
  [0, 1, 1],
  [-1, 0, 1],
  [1, 0, 0.9],
  [0, -1, 0.9],
  [-0.7, 0.7, 0.9],
  [-0.7, -0.7, 0.8],
  [0.7, 0.7, 0.9],
];

/**
 * Draw the numbers of the holes that the sentences of a view name.
 * @type {(board: Board, ids: Set<HoleId>) => void}
 */
export function drawTags(board, ids) {
  const { layout } = board;
  const places = [...ids].map((id) => layout.at(id)).filter((place) => place !== undefined);
  const named = places.filter(({ hole }) => numberOf(layout, hole) !== null);
  const size = Math.max(layout.pitch * SIZE_PITCHES, SIZE_PX / board.scale);
  const tags = named.length > MAX_TAGS ? [] : named.map((place) => tag(layout, place, size));
  board.put("tags", tags);
}

/**
 * The holes that the sentences of a view name: of a warning, of guidance, of the moves to choose from.
 * @type {(view: BoardView, moves: DrawnMove[]) => Set<HoleId>}
 */
export function namedHoles({ warning, guidance, question }, moves) {
  if (warning) return new Set([...warning.wrong, ...warning.right]);
  const asked = question?.about === "move" ? question.choices.map(({ id }) => id) : [];
  const arrows = moves.flatMap((move) => move.arrows);
  return new Set([
    ...(guidance?.places ?? []),
    ...(guidance?.steps ?? []).flatMap(({ from_hole: from, to_hole: to }) => [from, to]),
    ...arrows.flatMap(({ from, to }) => [from, to]),
    ...asked.flatMap((text) => text.match(/T\d+/g) ?? []),
  ]);
}

/**
 * The number that is printed at a hole, from 1 in each zone of the track and in each home; none where it has a name.
 * @type {(layout: Layout, hole: Place["hole"]) => number | null}
 */
export function numberOf({ zone }, { kind, index, seat }) {
  if (kind === "home" && seat) return index + 1;
  return (kind === "track" && index % zone) || null;
}

/** @param {Layout} layout @param {Place} place @param {number} size of its figures */
function tag(layout, place, size) {
  const { x, y } = spotBeside(layout, place, size);
  const attributes = { class: "tag", x: x.toFixed(2), y: (y + size * 0.36).toFixed(2), "font-size": size };
  const number = String(numberOf(layout, place.hole));
  return s("text", { ...attributes, testid: "hole-tag", "stroke-width": size * 0.3 }, number);
}

/**
 * The side of a hole with most room for a number that is whole.
 *
 * @param {Layout} layout
 * @param {Place} place
 * @param {number} size of its figures
 * @returns {Point}
 */
function spotBeside(layout, place, size) {
  const away = layout.pitch * AWAY_PITCHES + size * 0.5;
  const edge = size * EDGE_SIZES;
  const { left, top, width, height } = layout.box;
  const others = [...layout.places.values()].filter((other) => other !== place);
  const spots = SIDES.map(([dx, dy, worth]) => {
    const [x, y] = [place.x + dx * away, place.y + dy * away];
    const isCut = Math.min(x - left, y - top) < edge || x > left + width - edge || y > top + height - edge;
    return { spot: { x, y }, room: isCut ? 0 : layout.nearest({ x, y }, others).distance * worth };
  });
  return spots.reduce((best, one) => (one.room > best.room + 1e-6 ? one : best)).spot;
}
