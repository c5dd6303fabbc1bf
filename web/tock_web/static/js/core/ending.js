// Before something ends: the question is asked on another part of the screen, and "yes" can be undone for five seconds.

import { post } from "./api.js";
import { button, h } from "./dom.js";
import { t } from "./words.js";

/** @import { Children, EndingPath, Posts, Reply } from "#types" */

/** A second tap that was meant for the first button falls into this time. */
const DEAF_MS = 700;
const UNDO_MS = 5_000;
const last = { y: 0 };
addEventListener("pointerdown", ({ clientY }) => (last.y = clientY), { capture: true, passive: true });

/** @type {<P extends EndingPath>(path: P, data: object) => Promise<Reply<Posts[P]>>} */
const end = /** @type {any} */ (post);
/** The answer where nothing was asked for: it is no refusal, and shows nothing. */
const KEPT = { ok: /** @type {const} */ (false), status: -1, boot: null, data: null };

/**
 * End something on the companion, once that is certain. Without a word for "yes" nothing that anybody has ends.
 *
 * @template {EndingPath} P
 * @param {P} path
 * @param {object} data
 * @param {string | null} yes
 * @param {Children} [question]
 * @returns {Promise<Reply<Posts[P]>>}
 */
export async function endOnceSure(path, data, yes, question = null) {
  return yes === null || (await mayEnd(question, yes)) ? end(path, data) : KEPT;
}

/**
 * Ask whether something is to end; true once it is certain.
 *
 * @param {Children} question
 * @param {string} yes what the button says
 * @returns {Promise<boolean>}
 */
export function mayEnd(question, yes) {
  const isLow = last.y > innerHeight / 2;
  const body = h("div.replay-side");
  const dialog = h("dialog", { class: `danger-ask ${isLow ? "high" : "low"}`, testid: "danger" }, body);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    let timer = setTimeout(() => (agree.disabled = false), DEAF_MS);
    /** @param {boolean} isCertain */
    const close = (isCertain) => {
      clearTimeout(timer);
      resolve(isCertain);
      dialog.remove();
    };
    const wait = () => {
      const undo = button("main", "danger-undo", t("danger-undo"), () => close(false));
      body.replaceChildren(h("p", { role: "status" }, t("danger-soon", { n: UNDO_MS / 1_000 })), undo);
      clearTimeout(timer);
      timer = setTimeout(() => close(true), UNDO_MS);
    };
    const agree = button("wide danger", "danger-yes", yes, wait, { disabled: true });
    const refuse = button("wide", "danger-no", t("no"), () => close(false));
    body.replaceChildren(h("div", { role: "alert" }, question), agree, refuse);
    dialog.addEventListener("cancel", () => close(false));
  });
}
