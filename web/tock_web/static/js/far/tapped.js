// What she tapped shows at once that it is on its way, however long the way is.

import { t } from "../core/words.js";

/** @import { Tunnel } from "./tunnel.js" */

/** Buttons that ask the table for something. */
const ASKING = ":is(#cards, #moves, #hints, .actions, .alerts) button";

/** Mark a tapped button until the table has answered; drawing again takes the mark away too. */
export function markTapped(/** @type {Tunnel | null} */ tunnel) {
  if (!tunnel) return;
  document.addEventListener("click", ({ target }) => {
    const node = target instanceof Element ? target.closest(ASKING) : null;
    if (!(node instanceof HTMLElement)) return;
    // After the page's own listeners: only those that sent something are waited for.
    setTimeout(() => {
      if (tunnel.calls.waitingSince() === null) return;
      node.dataset.way = t("far.way-mark");
      node.setAttribute("aria-busy", "true");
    });
  });
  const { changed } = tunnel.calls;
  tunnel.calls.changed = () => {
    changed();
    if (tunnel.calls.waitingSince() !== null) return;
    for (const node of document.querySelectorAll("[data-way]")) {
      node.removeAttribute("data-way");
      node.removeAttribute("aria-busy");
    }
  };
}
