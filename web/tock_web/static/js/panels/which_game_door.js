// The way to the seven questions, which are fetched with the first tap or with a link to a game.

import { loadAllWords } from "../core/words.js";
import { arrived } from "./frame.js";

/** @import { ChosenGame } from "./which_game.js" */
/** @typedef {(link?: string) => Promise<void>} OpenQuestions */

/** The beginning of the fragment of a link to a game. */
const LINKED = "#game=";

/** @type {(choose: (choice: ChosenGame) => unknown) => OpenQuestions} */
export function whichGameDoor(choose) {
  /** @type {OpenQuestions | null} */
  let ask = null;
  return async (link) => {
    if (!ask) {
      const found = await arrived(Promise.all([import("./which_game.js"), loadAllWords()]));
      if (!found) return;
      ask = found[0].whichGame(choose);
    }
    await ask(link);
  };
}

/** Show the game to which the address of this page is a link, once. @param {OpenQuestions} open */
export function followLink(open) {
  if (!location.hash.startsWith(LINKED)) return;
  const link = location.href;
  history.replaceState(null, "", location.pathname);
  void open(link);
}
