// Requests one after another, in the order of the taps.

/** The answer may be here before the second tap of a double tap is. */
const DOUBLE_TAP_MS = 500;

/** A queue of requests. */
export class RequestQueue {
  /** @param {(pending: string[]) => void} changed told the keys of those without an answer, oldest first */
  constructor(changed = () => {}, clock = () => performance.now()) {
    this.changed = changed;
    this.clock = clock;
    this.last = { key: "", ms: -DOUBLE_TAP_MS };
    /** @type {string[]} */
    this.pending = [];
    this.newest = Promise.resolve(true);
  }

  /**
   * Send a request after all earlier ones; the same again right behind itself, or at once, is a double tap and sent once.
   *
   * @param {string} key the request as text
   * @param {() => Promise<boolean>} ask whether it was granted; never rejects
   */
  add(key, ask) {
    const { last } = this;
    const isAgain = key === last.key && this.clock() - last.ms < DOUBLE_TAP_MS;
    if (isAgain || this.pending.at(-1) === key) return this.newest;
    this.last = { key, ms: this.clock() };
    this.keep([...this.pending, key]);
    this.newest = this.newest.then(async () => {
      const isGranted = await ask();
      // What failed may be tried again at once.
      if (!isGranted) this.last = { key: "", ms: this.clock() };
      this.keep(this.pending.slice(1));
      return isGranted;
    });
    return this.newest;
  }

  /** @param {string[]} pending */
  keep(pending) {
    this.pending = pending;
    this.changed(pending);
  }
}
