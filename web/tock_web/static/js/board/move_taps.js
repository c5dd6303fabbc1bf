// A tap on the board means the nearest legal target; where several are near, each further tap means the next.

import { tappedMove } from "../state/seat.js";

/** @import { Board } from "./board.js" */
/** @import { LegalMove, Point } from "#types" */

/** Distance from a target on the screen within which a tap means it. */
const FINGER_PX = 44;

/**
 * The index of the move that a tap means, or null.
 * @type {(board: Board, moves: readonly LegalMove[], point: Point, chosen: number | null) => number | null}
 */
export function moveAt(board, moves, point, chosen) {
  const distances = moves.map(({ targets }) => {
    const places = targets.map((id) => board.layout.at(id)).filter((place) => place !== undefined);
    return board.layout.nearest(point, places).distance;
  });
  return tappedMove(distances, FINGER_PX * board.unitsPerPixel(), chosen);
}
