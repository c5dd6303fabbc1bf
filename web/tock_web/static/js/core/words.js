// The words of the page in the language of this phone.

import { bootstrap, remember } from "./bootstrap.js";
import { Store } from "./store.js";

/** @import { Catalog, Lang, Text, Word, WordFamily } from "#types" */
/** @typedef {{ lang: Lang, catalogs: Partial<Record<Lang, Catalog>> }} WordsState */
/** @typedef {{ type: "loaded", lang: Lang, words: Catalog } | { type: "chosen", lang: Lang }} WordsAction */

/** @type {{ code: Lang, name: string, deck: "french" | "english" }[]} */
const installed = JSON.parse(document.documentElement.dataset.languages ?? "[]");
export const LANGUAGES = installed.map(({ code }) => code);
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {Set<Lang>} of which all words are here */
const complete = new Set();
const first = document.documentElement.lang;
/** @type {Store<WordsState, WordsAction>} */
const store = new Store(reduceWords, { lang: first, catalogs: { [first]: bootstrap.words } });

/** @type {(state: WordsState, action: WordsAction) => WordsState} */
export function reduceWords(state, action) {
  if (action.type === "loaded") {
    return { ...state, catalogs: { ...state.catalogs, [action.lang]: action.words } };
  }
  // Without its catalog a language would show nothing but keys.
  return state.catalogs[action.lang] ? { ...state, lang: action.lang } : state;
}

/** The language of this phone. */
export function language() {
  return store.state.lang;
}

/** A language's own name. @param {Lang} lang */
export function languageName(lang) {
  return installed[LANGUAGES.indexOf(lang)].name;
}

/** The deck whose letters most readers of this phone's language know. */
export function usualDeck() {
  return installed[LANGUAGES.indexOf(language())].deck;
}

function nextLanguage() {
  return LANGUAGES[(LANGUAGES.indexOf(language()) + 1) % LANGUAGES.length];
}

/**
 * Translate a key and fill in its `{name}` placeholders; unknown keys stand for themselves.
 * @type {(key: Word, values?: Record<string, string | number>) => string}
 */
export function t(key, values = {}) {
  return lookUp(key, values);
}

/**
 * Translate a name that the companion sent.
 * @type {(family: WordFamily, name: string, values?: Record<string, string | number>) => string}
 */
export function tNamed(family, name, values = {}) {
  return lookUp(family + name, values);
}

/** @type {(key: string, values: Record<string, string | number>) => string} */
function lookUp(key, values) {
  const text = store.state.catalogs[store.state.lang]?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Pick this phone's language from a sentence of a view, or else the first one. */
export function say(/** @type {Text | null | undefined} */ text) {
  return text ? (text[store.state.lang] ?? Object.values(text)[0] ?? "") : "";
}

/** Call `listener` after each change of language. @param {() => void} listener */
export function onLanguage(listener) {
  listeners.add(listener);
}

/** Fetch the words that the page did not bring, once: another language is fetched whole. */
export async function loadAllWords() {
  if (!complete.has(first)) await load(first);
}

/** @param {Lang} lang */
async function load(lang) {
  const answer = await fetch(new URL(`../../i18n/${lang}.json`, import.meta.url));
  store.dispatch({ type: "loaded", lang, words: await answer.json() });
  complete.add(lang);
}

/** Switch to the next language, on this phone only. */
export async function switchLanguage() {
  const next = nextLanguage();
  if (!store.state.catalogs[next]) await load(next);
  store.dispatch({ type: "chosen", lang: next });
  document.documentElement.lang = next;
  remember("lang", next);
  // The server reads this cookie, so the next page arrives in the right language.
  document.cookie = `tock_lang=${next};path=/;max-age=31536000;samesite=lax`;
  translateDocument();
  for (const listener of listeners) listener();
}

/** Translate the parts of the document that the server rendered. */
function translateDocument() {
  for (const node of document.querySelectorAll("[data-t]")) {
    if (node instanceof HTMLElement && node.dataset.t) node.textContent = lookUp(node.dataset.t, {});
  }
  for (const node of document.querySelectorAll("[data-next-language]")) {
    node.textContent = languageName(nextLanguage());
  }
}
