// One stream of events that reopens: a browser gives up a refused one, and phones keep dead ones open.

import { line } from "./line.js";

/** @import { StreamSource } from "#types" */

const SILENCE_MS = 25_000;
/** The first news come at once, unless something on the way, such as a proxy, holds them back. */
const HELD_MS = 5_000;
/** Sent while there is no news. */
const HEARTBEAT = "hb";

/**
 * @typedef {object} Watcher
 * @property {Record<string, (data: unknown, id: string) => void>} news by the name of the event
 * @property {() => void} silent nothing has come for too long; the stream is opened again
 * @property {() => unknown} [held] nothing has come since it was opened; asked again while that lasts
 * @property {(attempt: number) => number | null | Promise<number | null>} failed
 * It broke or was refused, for the nth time on end: ms to wait before the next attempt, null for never.
 */

/** Keeps a stream open for as long as somebody looks at the page. */
export class Stream {
  constructor(/** @type {string} */ url, /** @type {Watcher} */ watcher, rests = false) {
    this.url = url;
    this.watcher = watcher;
    /** Other tabs have the connections now. */
    this.rests = rests;
    this.failures = 0;
    this.arrivedAt = 0;
    this.seen = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {StreamSource | null} */
    this.source = null;
    this.ended = false;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.open();
    });
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.open();
    });
    window.addEventListener("online", () => this.open());
    window.addEventListener("pagehide", () => this.close());
    setInterval(() => this.watch(), 1_000);
    this.open();
  }

  open() {
    if (this.ended || this.rests) return;
    this.close();
    this.arrived();
    this.seen = false;
    // Phones may keep a dead stream open without any error, so it is never trusted after a pause.
    const source = line.stream(this.url);
    for (const [name, take] of Object.entries(this.watcher.news)) {
      source.addEventListener(name, (event) => {
        this.arrived();
        this.failures = 0;
        take(JSON.parse(event.data), event.lastEventId);
      });
    }
    source.addEventListener(HEARTBEAT, () => this.arrived());
    source.addEventListener("error", () => {
      if (source === this.source) this.failed();
    });
    this.source = source;
  }

  wake() {
    this.rests = false;
    this.open();
  }

  /** Stop for good: the page is about to be left. */
  end() {
    this.close();
    this.ended = true;
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  arrived() {
    this.arrivedAt = performance.now();
    this.seen = true;
  }

  /** Reopen a stream that has shown no sign of life for too long. */
  watch() {
    if (!this.source || document.visibilityState !== "visible") return;
    const silentMs = performance.now() - this.arrivedAt;
    if (silentMs > SILENCE_MS) {
      this.watcher.silent();
      this.open();
    } else if (!this.seen && silentMs > HELD_MS) this.watcher.held?.();
  }

  async failed() {
    this.close();
    const attempt = ++this.failures;
    const waitMs = await this.watcher.failed(attempt);
    if (waitMs !== null && this.isWaiting(attempt)) this.timer = setTimeout(() => this.open(), waitMs);
  }

  /**
   * Whether a request made after a failure still matters: the stream has neither come back nor failed again.
   */
  isWaiting(/** @type {number} */ attempt) {
    return attempt === this.failures && this.source === null;
  }
}

/** @param {readonly number[]} pausesMs @param {number} attempt counted from 1 */
export function pauseAfter(pausesMs, attempt) {
  return pausesMs[Math.min(attempt, pausesMs.length) - 1];
}
