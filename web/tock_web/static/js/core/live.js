// The stream of views. A phone sleeps, walks out of reach and comes back: every way back ends in a fresh snapshot.

import { get } from "./api.js";
import { Stream, pauseAfter } from "./stream.js";

/** @import { ConnectionState, OtherHosts, Role, ViewOf } from "#types" */

const RETRY_MS = [300, 700, 1500, 2500];
const POLL_MS = 3_000;
/** No longer seated, or no longer the host. */
const NO_RIGHT = [401, 403];
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
   * @param {boolean} [rests] whether the stream waits for `wake`
   */
  constructor(role, onView, onState, rests) {
    this.role = role;
    this.onView = onView;
    this.onState = onState;
    /** @type {(others: OtherHosts) => void} */
    this.onHosts = () => {};
    /** @type {string | null | undefined} */
    this.boot = null;
    this.revision = -1;
    this.onState("connecting");
    this.stream = new Stream(
      `/api/v1/events?role=${role}&tab=${randomText(TAB_BYTES)}`,
      {
        news: {
          view: (data, id) => {
            const [boot] = id.split(".");
            this.onState("live");
            this.take(/** @type {ViewOf[R]} */ (data), boot);
          },
          hosts: (data) => this.onHosts(/** @type {OtherHosts} */ (data)),
        },
        silent: () => this.onState("lost"),
        held: () => this.held(),
        failed: (attempt) => this.failed(attempt),
      },
      rests,
    );
  }

  /** Stop for good: the page is about to be left. */
  end() {
    this.stream.end();
  }

  /**
   * Pass a view on unless a newer one has been shown; revisions start over when the companion does.
   * @type {(view: ViewOf[R], boot: string | null | undefined) => void}
   */
  take(view, boot) {
    if (boot === this.boot && view.revision < this.revision) return;
    this.boot = boot;
    this.revision = view.revision;
    this.onView(view);
  }

  /** Fetch the view while the stream is held back. */
  async held() {
    const answer = await get("view", { role: this.role, held: 1 });
    if (!answer.ok || this.stream.seen) return;
    this.stream.arrivedAt = performance.now();
    this.take(/** @type {ViewOf[R]} */ (answer.data), answer.boot);
    this.onState("polling");
  }

  /**
   * After a broken or refused stream, fetch the view once.
   *
   * @param {number} attempt counted from 1
   * @returns {Promise<number | null>} when to try to reconnect
   */
  async failed(attempt) {
    const started = performance.now();
    const answer = await get("view", { role: this.role });
    if (!this.stream.isWaiting(attempt)) return null;
    if (NO_RIGHT.includes(answer.status)) {
      this.onState("unseated");
      return null;
    }
    const waited = performance.now() - started;
    if (answer.ok) this.take(/** @type {ViewOf[R]} */ (answer.data), answer.boot);
    const state = stateAfter(answer, attempt, waited);
    if (state) this.onState(state);
    return answer.ok && attempt > RETRY_MS.length ? POLL_MS : pauseAfter(RETRY_MS, attempt);
  }
}

/**
 * The state to report when the stream has failed and the view was fetched instead; null for no news.
 *
 * @param {{ ok: boolean }} answer
 * @param {number} attempt counted from 1
 * @param {number} waitedMs
 * @returns {ConnectionState | null}
 */
export function stateAfter({ ok }, attempt, waitedMs) {
  // A short break is not worth reporting; a stream that keeps being refused is.
  if (ok) return attempt > 1 ? "polling" : null;
  return attempt > 1 || waitedMs > GRACE_MS ? "lost" : "connecting";
}

/** Random hex digits; `crypto.randomUUID` does not exist on plain HTTP. @param {number} bytes */
function randomText(bytes) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
