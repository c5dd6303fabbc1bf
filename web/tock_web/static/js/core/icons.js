// The icons that every document brings along (templates/icons.html), by their names.

import { s } from "./dom.js";

/**
 * @typedef {"zoom" | "players" | "history" | "rules" | "replay" | "correct" | "cards" | "hide" | "hint" | "undo" | "done"
 *   | "edit" | "photo" | "turn" | "close" | "back"} IconName
 */

/** An icon beside a word, which carries the meaning. @param {IconName} name */
export function icon(name) {
  return s(
    "svg",
    { class: "icon", "aria-hidden": "true", focusable: "false" },
    s("use", { href: `#i-${name}` }),
  );
}
