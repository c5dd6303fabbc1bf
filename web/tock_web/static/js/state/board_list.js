// The boards that the host may choose from, and the pending question about one of them.

/** @import { BoardRow } from "#types" */

/**
 * @typedef {object} BoardListState
 * @property {BoardRow[]} rows
 * @property {string | null} sure the key of the board that was tapped to be laid, and would end a game
 * @property {string | null} renaming the key of the board whose name is being changed
 * @property {string | null} removing the key of the board that was tapped to be removed
 * @property {boolean} isLaying another board is being laid
 */
/**
 * @typedef {{ type: "listed", rows: BoardRow[] } | { type: "chosen", key: string, endsGame: boolean }
 *   | { type: "renaming", key: string } | { type: "removing", key: string } | { type: "dropped" }
 *   | { type: "refused" }} BoardListAction
 */

/** @type {BoardListState} */
export const NO_BOARDS = { rows: [], sure: null, renaming: null, removing: null, isLaying: false };

/** @type {(state: BoardListState, action: BoardListAction) => BoardListState} */
export function reduceBoardList(state, action) {
  const calm = { ...state, sure: null, renaming: null, removing: null };
  switch (action.type) {
    case "listed":
      return { ...calm, rows: action.rows };
    case "chosen": {
      // One careless tap must not end a game in progress.
      const asks = action.endsGame && state.sure !== action.key;
      return asks ? { ...calm, sure: action.key } : { ...calm, isLaying: true };
    }
    case "renaming":
      return { ...calm, renaming: action.key };
    case "removing":
      return { ...calm, removing: action.key };
    case "dropped":
      return calm;
    case "refused":
      return { ...calm, isLaying: false };
    default:
      return state;
  }
}
