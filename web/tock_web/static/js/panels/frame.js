// The frame of every page: the bar with connection, text size, day and night and language; notices, short answers.

import { partOf, recall, remember } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { language, onLanguage, say, switchLanguage, t } from "../core/words.js";
import { menu } from "./menu.js";
import { drawer } from "../core/store.js";

/** @import { Reply, ConnectionState, Granted, PublicView } from "#types" */

const SIZES = ["1", "1.2", "1.45"];
const DARK = matchMedia("(prefers-color-scheme: dark)");
/** Ordered so that the first tap has a visible effect. */
const themes = () => (DARK.matches ? ["auto", "day", "night"] : ["auto", "night", "day"]);
const TOAST_MS = 6_000;
/** The toast's box, and the timer that empties it. */
const shown = {
  box: h("div", { id: "toast", role: "status", testid: "toast" }),
  timer: setTimeout(() => {}),
};

/** Bring the bar to life; return a function that shows the state of the connection. */
export function bar() {
  menu();
  const kept = recall("said", "");
  if (kept) toast(kept, "good");
  remember("said", "");
  cycle("size", () => SIZES, setSize);
  cycle("theme", themes, setTheme);
  document.querySelector("[data-testid=language]")?.addEventListener("click", switchLanguage);
  const light = document.querySelector("[data-testid=connection]");
  /** @type {ConnectionState} */
  let state = "connecting";
  const show = () => {
    light?.setAttribute("data-state", state);
    light?.querySelector("span")?.replaceChildren(t(`connection.${state}`));
  };
  onLanguage(show);
  show();
  return (/** @type {ConnectionState} */ next) => {
    if (next === state && document.body.dataset.connection) return;
    state = next;
    document.body.dataset.connection = next;
    show();
  };
}

/** Say something once this page has loaded again, as it does for another board. @param {string} text */
export function sayAfterReload(text) {
  remember("said", text);
}

/**
 * Fetch a module on demand; null, with a message to people, where it does not arrive.
 *
 * @template T
 * @param {Promise<T>} module
 */
export async function arrived(module) {
  try {
    return await module;
  } catch {
    toast(t("connection.lost"));
    return null;
  }
}

/**
 * Make a button step through the values of a setting, and remember the last one.
 *
 * @param {"size" | "theme"} name
 * @param {() => string[]} values in the order of the taps, the usual one first
 * @param {(value: string) => void} apply
 */
function cycle(name, values, apply) {
  let current = recall(name, values()[0]);
  apply(current);
  partOf(HTMLButtonElement, name === "size" ? "text-size" : "theme").addEventListener("click", () => {
    const order = values();
    current = order[(order.indexOf(current) + 1) % order.length];
    remember(name, current);
    apply(current);
  });
}

/** @param {string} size */
function setSize(size) {
  document.documentElement.dataset.size = size;
}

/** The style sheet knows day and night; "auto" follows the phone, also when it switches at dusk. */
function setTheme(/** @type {string} */ theme) {
  const follow = () => {
    document.documentElement.dataset.theme = DARK.matches ? "night" : "day";
  };
  DARK.onchange = theme === "auto" ? follow : null;
  if (theme === "auto") follow();
  else document.documentElement.dataset.theme = theme;
}

/** Show a sentence for a few seconds. @type {(text: string, kind?: "good" | "bad") => void} */
export function toast(text, kind = "bad") {
  const { box } = shown;
  bringForward(box);
  box.className = kind;
  box.textContent = text;
  clearTimeout(shown.timer);
  shown.timer = setTimeout(() => {
    box.textContent = "";
  }, TOAST_MS);
}

/** Put the toast where it is seen: an open dialog covers everything outside of it. */
function bringForward(/** @type {HTMLElement} */ box) {
  const home = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (box.parentElement === home) return;
  home.append(box);
  if (home !== document.body) home.addEventListener("close", () => bringForward(box), { once: true });
}

/**
 * Whether a request was granted; the reason for a refusal is shown as a toast.
 *
 * @template T
 * @param {Reply<T>} answer
 * @returns {answer is Granted<T>}
 */
export function granted(answer) {
  if (answer.ok) return true;
  if (answer.status < 0) return false;
  const reason = say(answer.data?.message);
  toast(reason || t(answer.status === 0 ? "connection.lost" : "refused"));
  return false;
}

/** Put the notices where they do not move a board; return the function that draws those of a view. */
export function notices() {
  const root = h("div.notices", { role: "status" });
  // The host's page shows them at its door too.
  const alerts = document.querySelector(".columns:not(#host-columns) .alerts");
  if (alerts) alerts.prepend(root);
  else document.querySelector(".bar-room")?.after(root);
  const draw = drawer(root, (/** @type {PublicView} */ { recording, health }) => [
    recording && h("p", { testid: "recorded" }, t("recorded")),
    health.map(({ code, sentence }) => h("p", { testid: `health-${code}` }, say(sentence))),
  ]);
  return (/** @type {PublicView} */ view) => draw([language(), view.recording, view.health], view);
}
