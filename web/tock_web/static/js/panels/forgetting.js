// Deleting for ever: a kept game, a name, the pictures of a move.

import { button, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { t } from "../core/words.js";
import { granted, toast } from "./frame.js";

/** @import { Forget } from "#types" */

/**
 * A button that deletes something for ever.
 *
 * @param {Forget} what
 * @param {string} named in words
 */
export function forgetButton(what, named) {
  const asking = button("quiet", "forget", t("game-forget"), async () => {
    const question = h("p", h("b", named), " ", t("game-forget-sure"));
    if (!granted(await endOnceSure("games/forget", what, t("game-forget-yes"), question))) return;
    toast(t("game-forgotten"), "good");
    (asking.closest(".evidence") ?? asking.closest("li"))?.replaceChildren();
  });
  return asking;
}
