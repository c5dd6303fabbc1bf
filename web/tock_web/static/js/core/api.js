// Asking the companion: JSON in, JSON out, and never an exception for a refused request.

import { line } from "./line.js";

/** @import { EndingPath, Gets, Posts, Reply, RequestArguments } from "#types" */

/** A phone at the edge of the Wi-Fi must not wait forever. */
const PATIENCE_MS = 10_000;
/** Pictures take longer to send and read, and hints take longer to compute. */
const SLOW_PATIENCE_MS = 40_000;
const BASE = "/api/v1/";
/** Seats and hosts are known by their cookies. */
const BLOCKED = "no-cookies";

/**
 * @template T
 * @param {string} path
 * @param {number} patienceMs
 * @param {RequestInit} [options]
 * @returns {Promise<Reply<T>>}
 */
async function ask(path, patienceMs, options) {
  try {
    const answer = await line.fetch(BASE + path, {
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
      ...options,
    });
    const isJson = (answer.headers.get("Content-Type") ?? "").startsWith("application/json");
    const data = isJson ? await answer.json() : null;
    return { ok: answer.ok, status: answer.status, boot: answer.headers.get("X-Tock-Boot"), data };
  } catch {
    return { ok: false, status: 0, boot: null, data: null };
  }
}

/**
 * Fetch something.
 *
 * @template {keyof Gets & string} P
 * @param {P} path
 * @param {Record<string, string | number>} [query]
 * @returns {Promise<Reply<Gets[P]>>}
 */
export function get(path, query = {}) {
  return ask(path + queryText(query), PATIENCE_MS);
}

/** @param {Record<string, string | number>} query */
function queryText(query) {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return text.length ? `?${text.join("&")}` : "";
}

/**
 * Send a change that ends nothing; `endOnceSure` is for the others. The header proves that the companion's page asks.
 *
 * @template {Exclude<keyof Posts & string, EndingPath>} P
 * @param {P} path
 * @param {object} [data]
 * @param {number} [patienceMs]
 * @returns {Promise<Reply<Posts[P]>>}
 */
export function post(path, data = {}, patienceMs = PATIENCE_MS) {
  return ask(path, patienceMs, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Tock": navigator.cookieEnabled ? "1" : BLOCKED },
    body: JSON.stringify(data),
  });
}

/**
 * Send a change that the companion needs a while for.
 *
 * @template {Exclude<keyof Posts & string, EndingPath>} P
 * @param {P} path
 * @param {object} [data]
 */
export function postSlow(path, data) {
  return post(path, data, SLOW_PATIENCE_MS);
}

/**
 * Send a file as it is.
 *
 * @template {keyof Posts & string} P
 * @param {P} path
 * @param {Blob} file
 * @param {Record<string, string | number>} [query]
 * @param {number} [patienceMs]
 * @returns {Promise<Reply<Posts[P]>>}
 */
export function upload(path, file, query = {}, patienceMs = SLOW_PATIENCE_MS) {
  return ask(path + queryText(query), patienceMs, {
    method: "POST",
    headers: { "Content-Type": file.type || "application/octet-stream", "X-Tock": "1" },
    body: file,
  });
}

/**
 * Send one of the table's requests, as this phone's seat or as the host.
 *
 * @param {RequestArguments} asked
 * @param {{ role?: "seat" | "host", revision?: number | null }} [by] `revision` of the view it was formed on
 */
export function request([kind, data = {}], { role = "seat", revision = null } = {}) {
  return post("request", { kind, data, role, revision });
}
