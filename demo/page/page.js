// What both pages of the demo share: their words in the language of the browser, and how far the loading is.

const STEPS = { python: 0.55, files: 0.75, all: 1 };

/** @type {Record<string, Record<string, string>>} */
const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const lang = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in words) ?? "en";

/** @type {(key: string) => string} */
export const t = (key) => words[lang][`demo.${key}`];

/** @type {(id: string) => HTMLElement} */
export const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Show how far the loading is. @type {(step: string) => void} */
export function show(step) {
  const share = STEPS[/** @type {keyof STEPS} */ (step)];
  /** @type {HTMLProgressElement} */ (part("progress")).value = share;
}

/** Put the words into the page, whose title has this key. @type {(title: string) => void} */
export function named(title) {
  document.documentElement.lang = lang;
  document.title = t(title);
  for (const node of document.querySelectorAll("[data-t]")) {
    node.textContent = t(/** @type {HTMLElement} */ (node).dataset.t ?? "");
  }
}
