// The words of the page in the language of this phone.

import { given } from "./given.js";
import { remember } from "./prefs.js";

export const LANGUAGES = ["fr", "en"];
const listeners = new Set();
let current = document.documentElement.lang === "en" ? "en" : "fr";
const catalogs = new Map([[current, given.words]]);

async function load(lang) {
  if (!catalogs.has(lang)) {
    const answer = await fetch(new URL(`../../i18n/${lang}.json`, import.meta.url));
    catalogs.set(lang, await answer.json());
  }
}

/** The language of this phone, `fr` or `en`. */
export function language() {
  return current;
}

/** Return the words of the page for a key, with `{name}` places filled in. */
export function t(key, values = {}) {
  const text = catalogs.get(current)?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Return a sentence of a view (`{fr, en}`) in this phone's language. */
export function say(sentence) {
  return sentence ? (sentence[current] ?? sentence.en ?? "") : "";
}

/** Call `listener` after each change of language. */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** Change to the other language, for this phone only. */
export async function switchLanguage() {
  const next = LANGUAGES[(LANGUAGES.indexOf(current) + 1) % LANGUAGES.length];
  await load(next);
  current = next;
  document.documentElement.lang = next;
  remember("lang", next);
  // The server reads this cookie to send the next page in the right language at once.
  document.cookie = `tock_lang=${next};path=/;max-age=31536000;samesite=lax`;
  applyStatic();
  for (const listener of listeners) listener(next);
}

/** Put the words into the parts of the document that were sent by the server. */
export function applyStatic(root = document) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
}
