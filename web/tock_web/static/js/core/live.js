// The stream of views. A phone sleeps, walks out of reach and comes back: every way back ends in a fresh snapshot.

import { get } from "./api.js";
import { randomText } from "./dom.js";

const SILENCE_MS = 25_000;
const RETRY_MS = [300, 700, 1500, 2500];
const POLL_MS = 3_000;
/** Not seated, or not the host any more. */
const NO_RIGHT = [401, 403];
/** Seated, but the present game is played without this seat. */
const NOT_IN_GAME = 409;
const GRACE_MS = 1_500;

export class Live {
  /** Follow the views of a role; `onState` gets `connecting`, `live`, `polling`, `lost`, `idle` or `unseated`. */
  constructor(role, onView, onState) {
    this.role = role;
    this.onView = onView;
    this.onState = onState;
    this.tab = randomText();
    this.boot = null;
    this.revision = -1;
    this.failures = 0;
    this.timer = null;
    this.source = null;
    this.ended = false;
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.open(),
    );
    window.addEventListener("pageshow", (event) => event.persisted && this.open());
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
    source.addEventListener("error", () => source === this.source && this.failed());
    this.source = source;
  }

  /** Follow no longer: the page is about to be left. */
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

  watch() {
    if (
      this.source &&
      document.visibilityState === "visible" &&
      performance.now() - this.heardAt > SILENCE_MS
    ) {
      this.onState("lost");
      this.open();
    }
  }

  /** Hand a view on unless a newer one was shown already; another run of the companion counts anew. */
  take(view, boot) {
    if (boot === this.boot && view.revision < this.revision) return;
    this.boot = boot;
    this.revision = view.revision;
    this.onView(view);
  }

  /** The stream broke or was refused: look without it, then try again. */
  async failed() {
    this.close();
    const attempt = ++this.failures;
    const started = performance.now();
    const answer = await get(`view?role=${this.role}`);
    if (attempt !== this.failures || this.source) return;
    if (NO_RIGHT.includes(answer.status)) {
      this.onState("unseated");
      return;
    }
    if (answer.ok) {
      this.take(answer.data, answer.boot);
      // A short break is no news; only a refused stream is worth telling.
      if (attempt > 1) this.onState("polling");
    } else if (answer.status === NOT_IN_GAME) {
      this.onState("idle");
    } else if (attempt > 1 || performance.now() - started > GRACE_MS) {
      this.onState("lost");
    } else {
      this.onState("connecting");
    }
    const answered = answer.ok || answer.status === NOT_IN_GAME;
    const wait =
      answered && attempt > RETRY_MS.length ? POLL_MS : RETRY_MS[Math.min(attempt, RETRY_MS.length) - 1];
    this.timer = setTimeout(() => this.open(), wait);
  }
}
