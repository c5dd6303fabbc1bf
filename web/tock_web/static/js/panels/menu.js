// The menu of every page: a list of entries, each with a sheet of its own or a link to another page.

import { part, partOf } from "../core/bootstrap.js";
import { onLanguage, t } from "../core/words.js";

/** An element that a sheet holds alone. */
const ALONE = ":scope > details, :scope > div > details";

/** Bring the menu to life; the answer closes it. */
export function menu() {
  const dialog = partOf(HTMLDialogElement, "menu");
  const [title, list, back] = [part("menu-title"), part("menu-list"), part("menu-back")];
  /** @type {string | null} */
  let open = null;

  const name = () => {
    const opener = document.querySelector(`[data-open="${open}"]`);
    title.textContent = opener?.textContent?.trim() ?? t("menu");
  };

  /** @param {string | null} sheet to show; null for the list */
  function show(sheet) {
    open = sheet;
    name();
    list.hidden = sheet !== null;
    back.hidden = sheet === null;
    for (const section of dialog.querySelectorAll("[data-sheet]")) {
      const isShown = section instanceof HTMLElement && section.dataset.sheet === sheet;
      section.toggleAttribute("hidden", !isShown);
      // An element that a sheet holds alone is unfolded with it.
      if (isShown) section.querySelector(ALONE)?.setAttribute("open", "");
    }
    title.focus();
  }

  document.addEventListener("click", ({ target }) => {
    const opener = target instanceof Element ? target.closest("[data-open]") : null;
    if (!(opener instanceof HTMLElement) || !opener.dataset.open) return;
    if (!dialog.open) dialog.showModal();
    show(opener.dataset.open);
  });
  part("menu-open").addEventListener("click", () => {
    dialog.showModal();
    show(null);
  });
  back.addEventListener("click", () => show(null));
  part("menu-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // The backdrop belongs to the dialog, its contents do not.
    if (target === dialog || target.closest("[data-close]")) dialog.close();
  });
  onLanguage(name);
}
