// The page's calls on their way to the home: each has an id, and is sent again in a new session until it is answered.

import { base64url, fromBase64, joined, randomBytes } from "./bytes.js";

/**
 * A call as it is sent.
 *
 * @typedef {object} FarCall
 * @property {string} id
 * @property {"GET" | "POST"} method
 * @property {string} path
 * @property {Record<string, string>} [query]
 * @property {unknown} [body]
 * @property {string} [boot] the home's start that made the view on which a change was formed
 */
/** @typedef {{ id: string, status: number, boot?: string | null, data?: unknown }} FarAnswer */
/** @typedef {{ base64: string, next: number | null }} Piece */
/** @typedef {{ call: FarCall, answered: (answer: FarAnswer) => void, since: number }} Pending */

const BASE = "/api/v1/";
const NO_CONTENT = [204, 304];

/** Calls without an answer so far. */
export class Calls {
  /**
   * @param {(call: FarCall) => void} send
   * @param {() => boolean} isUp whether there is a session to send in
   */
  constructor(send, isUp) {
    this.send = send;
    this.isUp = isUp;
    /** @type {Map<string, Pending>} */
    this.pending = new Map();
    this.series = base64url(randomBytes(9));
    this.count = 0;
    /** The home's start that made the newest view. */
    this.boot = "";
    /** Told whenever a change is on its way, or has been answered. */
    this.changed = () => {};
  }

  /**
   * Ask as `fetch` does. A change waits through a cut; what only asks fails at once, since asking again loses nothing.
   * @type {(address: string, options?: RequestInit) => Promise<Response>}
   */
  async fetch(address, { method = "GET", body = null, signal = null } = {}) {
    if (method === "GET" && !this.isUp()) throw new TypeError("no line to the home");
    if (method !== "GET") return responseOf(await this.ask(address, "POST", body));
    const answer = await this.ask(address, "GET", null, signal);
    return responseOf(isPiece(answer.data) ? await this.whole(address, answer, signal) : answer);
  }

  /**
   * @param {string} address
   * @param {"GET" | "POST"} method
   * @param {BodyInit | null} [body]
   * @param {AbortSignal | null} [signal]
   * @returns {Promise<FarAnswer>}
   */
  ask(address, method, body = null, signal = null) {
    const url = new URL(address, location.origin);
    this.count += 1;
    /** @type {FarCall} */
    const call = { id: `${this.series}.${this.count}`, method, path: url.pathname.slice(BASE.length) };
    if (url.search) call.query = Object.fromEntries(url.searchParams);
    if (method === "POST") {
      call.body = typeof body === "string" ? JSON.parse(body) : {};
      call.boot = this.boot;
    }
    return new Promise((answered, reject) => {
      this.pending.set(call.id, { call, answered, since: performance.now() });
      signal?.addEventListener("abort", () => {
        this.forget(call.id);
        reject(new TypeError("took too long"));
      });
      if (this.isUp()) this.send(call);
      this.changed();
    });
  }

  /**
   * Fetch the other pieces of a file that is longer than a frame.
   * @type {(address: string, first: FarAnswer, signal: AbortSignal | null) => Promise<FarAnswer>}
   */
  async whole(address, first, signal) {
    const pieces = [];
    /** @type {FarAnswer} */
    let newest = first;
    for (;;) {
      const { base64, next } = /** @type {Piece} */ (newest.data);
      pieces.push(fromBase64(base64));
      if (next === null) return { ...first, data: joined(...pieces) };
      const more = new URL(address, location.origin);
      more.searchParams.set("offset", String(next));
      newest = await this.ask(more.href, "GET", null, signal);
      if (!isPiece(newest.data)) return { ...newest, status: 502 };
    }
  }

  /** Send all of them again, in their order: a new session has begun. */
  resend() {
    for (const { call } of this.pending.values()) this.send(call);
  }

  /** @param {FarAnswer} answer */
  take(answer) {
    const pending = this.pending.get(answer.id);
    if (pending?.call.path === "view" && answer.boot) this.boot = answer.boot;
    pending?.answered(answer);
    this.forget(answer.id);
  }

  /** Answer what only asks, since the line is cut. */
  cut() {
    for (const { call, answered } of [...this.pending.values()])
      if (call.method === "GET") {
        answered({ id: call.id, status: 503 });
        this.forget(call.id);
      }
  }

  /** @param {string} id */
  forget(id) {
    if (this.pending.delete(id)) this.changed();
  }

  /** Since when the oldest change is on its way; null while none is. */
  waitingSince() {
    const changes = [...this.pending.values()].filter(({ call }) => call.method === "POST");
    return changes.length ? Math.min(...changes.map(({ since }) => since)) : null;
  }
}

/** An answer as `fetch` gives it. @param {FarAnswer} answer */
function responseOf({ status, boot, data }) {
  const [body, kind] = bodyOf(data);
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": kind };
  if (boot) headers["X-Tock-Boot"] = boot;
  return new Response(NO_CONTENT.includes(status) ? null : body, { status, headers });
}

/**
 * The body of an answer and its type: JSON, but for the film and the record of a game.
 * @type {(data: unknown) => [BodyInit, string]}
 */
function bodyOf(data) {
  if (data instanceof Uint8Array) return [data.slice(), "image/gif"];
  const keys = data instanceof Object ? Object.keys(data) : [];
  const { text } = /** @type {{ text?: unknown }} */ (data ?? {});
  if (typeof text === "string" && keys.length === 1) return [text, "text/plain"];
  return [JSON.stringify(data ?? null), "application/json"];
}

/** Whether data are a piece of a file. @type {(data: unknown) => data is Piece} */
function isPiece(data) {
  return data instanceof Object && "base64" in data && "next" in data;
}
