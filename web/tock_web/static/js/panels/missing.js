// The place of the tray with pawns that a real board misses, which is fetched once one is missing.

import { loadAllWords } from "../core/words.js";
import { fetched } from "./lazy_panel.js";

/** @import { BoardView, SeatStyles } from "#types" */
/** @import { Board } from "../board/board.js" */

/** @type {(board: Board, styles: SeatStyles) => (view: BoardView) => void} */
export function missingPanel(board, styles) {
  return fetched(
    () => Promise.all([import("./missing_tray.js"), loadAllWords()]),
    ([{ missingTray }]) => missingTray(board, styles),
    (/** @type {BoardView} */ { warning }) => warning?.code === "board/pawn_missing",
  );
}
