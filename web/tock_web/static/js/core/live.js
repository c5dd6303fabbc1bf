// The stream of views. A phone sleeps, walks out of reach and comes back: every way back ends in a fresh snapshot.

import { get } from "./api.js";

/** @import { ConnectionState, Role, ViewOf } from "#types" */

const SILENCE_MS = 25_000;
const RETRY_MS = [300, 700, 1500, 2500];
const POLL_MS = 3_000;
/** No longer seated, or no longer the host. */
const NO_RIGHT = [401, 403];
/** Seated, but the present game is played without this seat. */
const NOT_IN_GAME = 409;
const GRACE_MS = 1_500;
const TAB_BYTES = 12;

/**
 * Follows the views of a role.
 *
 * @template {Role} R
 */
export class Live {
  /**
   * @param {R} role
   * @param {(view: ViewOf[R]) => void} onView
   * @param {(state: ConnectionState) => void} onState
   */
  constructor(role, onView, onState) {
    this.role = role;
    this.onView = onView;
    this.onState = onState;
    this.tab = randomText(TAB_BYTES);
    /** @type {string | null | undefined} */
    this.boot = null;
    this.revision = -1;
    this.failures = 0;
    this.heardAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {EventSource | null} */
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
    this.onState("connecting");
    this.open();
  }

  open() {
    if (this.ended) return;
    this.close();
    this.heard();
    // Phones may keep a dead stream open without any error, so it is never trusted after a pause.
    const source = new EventSource(`/api/v1/events?role=${this.role}&tab=${this.tab}`);
    source.addEventListener("view", (event) => {
      const [boot] = event.lastEventId.split(".");
      this.heard();
      this.failures = 0;
      this.onState("live");
      this.take(JSON.parse(event.data), boot);
    });
    source.addEventListener("hb", () => this.heard());
    source.addEventListener("error", () => {
      if (source === this.source) this.failed();
    });
    this.source = source;
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

  heard() {
    this.heardAt = performance.now();
  }

  /** Reopen a stream that has shown no sign of life for too long. */
  watch() {
    const isSilent = performance.now() - this.heardAt > SILENCE_MS;
    if (this.source && document.visibilityState === "visible" && isSilent) {
      this.onState("lost");
      this.open();
    }
  }

  /**
   * Pass a view on unless a newer one has been shown; revisions start over when the companion does.
   *
   * @param {ViewOf[R]} view
   * @param {string | null | undefined} boot
   */
  take(view, boot) {
    if (boot === this.boot && view.revision < this.revision) return;
    this.boot = boot;
    this.revision = view.revision;
    this.onView(view);
  }

  /** After a broken or refused stream, fetch the view once and then try to reconnect. */
  async failed() {
    this.close();
    const attempt = ++this.failures;
    const started = performance.now();
    const answer = await get("view", { role: this.role });
    if (attempt !== this.failures || this.source) return;
    if (NO_RIGHT.includes(answer.status)) {
      this.onState("unseated");
      return;
    }
    const waited = performance.now() - started;
    if (answer.ok) this.take(/** @type {ViewOf[R]} */ (answer.data), answer.boot);
    const state = stateAfter(answer, attempt, waited);
    if (state) this.onState(state);
    const answered = answer.ok || answer.status === NOT_IN_GAME;
    const retry = RETRY_MS[Math.min(attempt, RETRY_MS.length) - 1];
    this.timer = setTimeout(() => this.open(), answered && attempt > RETRY_MS.length ? POLL_MS : retry);
  }
}

/**
 * The state to report when the stream has failed and the view was fetched instead; null for no news.
 *
 * @param {{ ok: boolean, status: number }} answer
 * @param {number} attempt counted from 1
 * @param {number} waitedMs
 * @returns {ConnectionState | null}
 */
export function stateAfter({ ok, status }, attempt, waitedMs) {
  // A short break is not worth reporting; a stream that keeps being refused is.
  if (ok) return attempt > 1 ? "polling" : null;
  if (status === NOT_IN_GAME) return "idle";
  return attempt > 1 || waitedMs > GRACE_MS ? "lost" : "connecting";
}

/**
 * Random hex digits; `crypto.randomUUID` does not exist on plain HTTP.
 *
 * @param {number} bytes
 */
function randomText(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
