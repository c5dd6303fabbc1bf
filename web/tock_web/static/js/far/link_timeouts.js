// When to try again, when to ask whether the home is still there, and when a line counts as dead.

const RETRY_MS = [300, 700, 1_500, 2_500, 4_000];
/** Phones of many tables come back to a relay one after another. */
const JITTER = 0.3;
const REFUSED_RETRY_MS = 15_000;
/** Right after a start the relay may not know its rooms yet. */
const REFUSALS_BELIEVED = 2;
const PING_MS = 5_000;
const SILENCE_MS = 10_000;
/** After a pause in a pocket the line is probably dead. */
const WAKE_MS = 2_500;
/** A question's number is its count times this, plus the last round trip in ms. */
const SERIES = 1_000_000;

/** The pauses between attempts to connect. */
export class Retries {
  constructor() {
    this.attempts = 0;
    this.refusals = 0;
  }

  /** Whether the relay has said often enough that it does not know the link. */
  get isRefused() {
    return this.refusals >= REFUSALS_BELIEVED;
  }

  /** How long to wait after an attempt has failed. @param {boolean} isRefusal */
  pauseMs(isRefusal) {
    if (isRefusal) this.refusals += 1;
    this.attempts += 1;
    const pause = this.isRefused ? REFUSED_RETRY_MS : RETRY_MS[Math.min(this.attempts, RETRY_MS.length) - 1];
    return pause * (1 + JITTER * Math.random());
  }

  begun() {
    this.refusals = 0;
  }

  /** The next pause is short again. */
  hurry() {
    this.attempts = 0;
  }
}

/** The life of a session: numbered questions, and how long nothing may arrive. */
export class Pulse {
  constructor() {
    this.count = 0;
    this.askedAt = 0;
    this.newest = 0;
    this.roundTripMs = 0;
    this.deadAt = Infinity;
  }

  /** The number of the next question, which also reports the round trip of the one before. */
  next() {
    this.count += 1;
    this.askedAt = performance.now();
    this.newest = this.count * SERIES + Math.min(Math.round(this.roundTripMs), SERIES - 1);
    return this.newest;
  }

  /** @param {unknown} number of the answer */
  answered(number) {
    if (number === this.newest) this.roundTripMs = performance.now() - this.askedAt;
  }

  received() {
    this.deadAt = performance.now() + SILENCE_MS;
  }

  /** The phone was away for a while: something must arrive soon. */
  doubted() {
    this.deadAt = Math.min(this.deadAt, performance.now() + WAKE_MS);
  }

  get isDead() {
    return performance.now() > this.deadAt;
  }

  get isDue() {
    return performance.now() - this.askedAt > PING_MS;
  }
}

/**
 * Wake a line whenever the phone may have slept, or changed its network, and cut it when the phone has none.
 */
export function onWaking(/** @type {{ wake: () => void, lost: () => void }} */ line) {
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && line.wake());
  window.addEventListener("online", () => line.wake());
  window.addEventListener("offline", () => line.lost());
}
