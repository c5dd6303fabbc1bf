// Drawing one view on a board: the same for every page that shows the accepted position.

import { drawLastMove, drawMoves, drawRepair, drawSeen } from "./overlays.js";

/** Return a function that brings a board up to date with a view; `chosen` is the number of the move pointed at. */
export function viewPainter(board) {
  let last = null;
  return (view, chosen = null) => {
    const { holes, seen, last_move: lastMove, warning } = view;
    // What a computer asks people to move is drawn like a legal move.
    const moves = view.planned ? [view.planned] : (view.legal_moves ?? []);
    const key = JSON.stringify([board.layout.angle, holes, seen, lastMove, moves, warning, chosen]);
    if (key === last) return;
    last = key;
    board.markPawns(holes);
    board.markTargets(new Set(moves.flatMap((move) => move.targets)));
    board.drawPawns(holes, drawSeen(board, seen));
    drawLastMove(board, moves.length || warning ? null : lastMove);
    drawMoves(board, warning ? [] : moves, warning ? null : chosen);
    drawRepair(board, warning);
  };
}
