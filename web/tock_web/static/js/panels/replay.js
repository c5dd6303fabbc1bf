// The door to the replay, which is fetched when somebody goes through it.

import { h, icon } from "../core/dom.js";
import { loadAllWords, onLanguage, t } from "../core/words.js";
import { arrived } from "./frame.js";

/** @import { BoardFile, SeatStyles } from "#types" */

/**
 * Draw the button that opens the game.
 *
 * @param {HTMLElement} root
 * @param {BoardFile} boardFile
 * @param {SeatStyles} styles
 * @param {object} [options] of the dialog
 * @param {number} [options.angle]
 * @param {((seq: number) => void) | null} [options.propose]
 */
export function replayPanel(root, boardFile, styles, options) {
  const attributes = { type: "button", class: "quiet", testid: "replay-open", "data-close": "" };
  const opener = h("button", { ...attributes, onclick: open });
  root.replaceChildren(opener);
  const name = () => opener.replaceChildren(icon("replay"), h("span", t("replay")));
  onLanguage(name);
  name();

  /** @type {(() => Promise<void>) | null} */
  let show = null;
  async function open() {
    const found = await arrived(Promise.all([import("./replay_dialog.js"), loadAllWords()]));
    if (found) show ??= found[0].replayDialog(boardFile, styles, options);
    await show?.();
  }
}
