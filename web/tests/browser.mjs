// A windowless browser for the page's unit tests: a document, a clock wound by tests, streams, and answers.

import { webcrypto } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { parseHTML } from "linkedom";

/** @import { BoardFile, Catalog, Lang } from "#types" */
/** @typedef {{ at: number, run: () => void, everyMs: number | null }} Timer */
/** @typedef {{ path: string, options: RequestInit | undefined }} Asked what was asked for over the network */

/** @param {string} path below the repository */
function read(path) {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

const LANGUAGES = [
  { code: "fr", name: "Français", deck: "french" },
  { code: "en", name: "English", deck: "english" },
];

/** @param {Lang} lang */
export function catalog(lang) {
  const folder = `companion/tock_companion/words/${lang}/page/`;
  const names = readdirSync(new URL(`../../${folder}`, import.meta.url));
  const parts = names.map((name) => JSON.parse(read(folder + name)));
  return /** @type {Catalog} */ (Object.assign({}, ...parts));
}

/** @type {BoardFile} */
export const boardFile = JSON.parse(read("hardware/boards/board-4.json"));

/** Time that passes only when a test winds it on. */
export class Clock {
  constructor() {
    this.nowMs = 0;
    /** @type {Map<number, Timer>} */
    this.timers = new Map();
    this.count = 0;
  }

  /** @type {(run: () => void, delayMs: number, everyMs: number | null) => number} */
  add(run, delayMs, everyMs) {
    this.count += 1;
    this.timers.set(this.count, { at: this.nowMs + delayMs, run, everyMs });
    return this.count;
  }

  /** Let time pass; timers that are due run in order, and promises settle in between. @param {number} ms */
  async pass(ms) {
    const end = this.nowMs + ms;
    await settle();
    for (let next = this.next(end); next; next = this.next(end)) {
      const [id, timer] = next;
      this.nowMs = timer.at;
      if (timer.everyMs === null) this.timers.delete(id);
      else timer.at += timer.everyMs;
      timer.run();
      await settle();
    }
    this.nowMs = end;
  }

  /** @param {number} end */
  next(end) {
    const due = [...this.timers].filter(([, timer]) => timer.at <= end);
    return due.sort(([, a], [, b]) => a.at - b.at)[0];
  }
}

/** Let every pending promise settle. */
async function settle() {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}

/** The stream of views as the page opens it; a test sends its events. */
export class FakeStream extends EventTarget {
  /** @param {string} url */
  constructor(url) {
    super();
    this.url = url;
    this.isClosed = false;
    FakeStream.opened.push(this);
  }

  close() {
    this.isClosed = true;
  }

  /**
   * @param {"view" | "hb" | "hall" | "tables" | "standings" | "club"} name
   * @param {object} data
   * @param {string} [lastEventId]
   */
  send(name, data, lastEventId = "") {
    const event = Object.assign(new Event(name), { data: JSON.stringify(data), lastEventId });
    this.dispatchEvent(event);
  }

  fail() {
    this.dispatchEvent(new Event("error"));
  }
}
/** @type {FakeStream[]} */
FakeStream.opened = [];

/**
 * Let the newest stream fail again and again, and measure after how long each is opened again.
 * @type {(clock: Clock, count: number) => Promise<number[]>}
 */
export async function waitsBetweenTries(clock, count) {
  const waitsMs = [];
  for (let attempt = 0; attempt < count; attempt += 1) {
    const before = clock.nowMs;
    const opened = FakeStream.opened.length;
    FakeStream.opened[opened - 1].fail();
    while (FakeStream.opened.length === opened) await clock.pass(100);
    waitsMs.push(clock.nowMs - before);
  }
  return waitsMs;
}

/**
 * Put a browser into the global names; call it before importing a module of the page.
 * @param {{ lang?: Lang, body?: string }} [document]
 */
export function openBrowser({ lang = "fr", body = "" } = {}) {
  const bootstrap = JSON.stringify({ words: catalog(lang), board: boardFile });
  const html = `<html lang="${lang}" data-languages='${JSON.stringify(LANGUAGES)}'><body>${body}<script id="bootstrap">${bootstrap}</script></body></html>`;
  const { window, document } = parseHTML(html);
  // Nothing is laid out here.
  Object.assign(window.SVGElement.prototype, { getScreenCTM: () => null });
  const clock = new Clock();
  /** @type {Asked[]} */
  const asked = [];
  /** @type {{ answer: (path: string) => Response | Promise<Response> }} */
  const network = { answer: () => Promise.reject(new TypeError("nobody answers")) };
  Object.defineProperty(document, "visibilityState", { value: "visible", writable: true });
  /** @type {Record<string, unknown>} */
  const names = {
    window: Object.assign(new EventTarget(), { document }),
    document,
    Node: window.Node,
    Element: window.Element,
    HTMLElement: window.HTMLElement,
    SVGElement: window.SVGElement,
    ResizeObserver: class {
      observe() {}
    },
    EventSource: FakeStream,
    crypto: webcrypto,
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
    performance: { now: () => clock.nowMs },
    setTimeout: (/** @type {() => void} */ run, ms = 0) => clock.add(run, ms, null),
    setInterval: (/** @type {() => void} */ run, ms = 0) => clock.add(run, ms, ms),
    clearTimeout: (/** @type {number} */ id) => clock.timers.delete(id),
    clearInterval: (/** @type {number} */ id) => clock.timers.delete(id),
    fetch: async (/** @type {string | URL} */ url, /** @type {RequestInit | undefined} */ options) => {
      asked.push({ path: String(url), options });
      return network.answer(String(url));
    },
  };
  for (const [name, value] of Object.entries(names)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  FakeStream.opened.length = 0;
  return { window: /** @type {EventTarget} */ (names.window), document, clock, asked, network };
}

/**
 * Dispatch an event to a document's listeners, or to those of a node in it; its event class is not Node's.
 * @type {(document: Document, name: string, node?: Node | null) => void}
 */
export function fire(document, name, node = document) {
  const event = document.createEvent("Event");
  event.initEvent(name, true);
  (node ?? document).dispatchEvent(event);
}

/** @type {(data: object, status?: number, headers?: Record<string, string>) => Response} */
export function json(data, status = 200, headers = {}) {
  return new Response(JSON.stringify(data), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}
