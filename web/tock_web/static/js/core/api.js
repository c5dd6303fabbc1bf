// Asking the companion: JSON in, JSON out, and never an exception for a refused wish.

/** A phone at the edge of the Wi-Fi must not wait for ever. */
const PATIENCE_MS = 10_000;
/** Pictures take longer to send and to read, and some thoughts to think. */
const SLOW_PATIENCE_MS = 40_000;
const BASE = "/api/v1/";

function deadline(patience = PATIENCE_MS) {
  const control = new AbortController();
  setTimeout(() => control.abort(), patience);
  return control.signal;
}

async function ask(path, options) {
  try {
    const answer = await fetch(BASE + path, { cache: "no-store", signal: deadline(), ...options });
    const isJson = (answer.headers.get("Content-Type") ?? "").startsWith("application/json");
    const data = isJson ? await answer.json() : null;
    return { ok: answer.ok, status: answer.status, boot: answer.headers.get("X-Tock-Boot"), data };
  } catch {
    return { ok: false, status: 0, boot: null, data: null };
  }
}

/** Fetch something; `status` is 0 when the companion cannot be reached. */
export function get(path) {
  return ask(path);
}

/** Send a change that takes the companion a while. */
export function postSlow(path, data = {}) {
  return post(path, data, SLOW_PATIENCE_MS);
}

/** Send a change. The header proves to the companion that its own page asks. */
export function post(path, data = {}, patience = PATIENCE_MS) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Tock": "1" },
    body: JSON.stringify(data),
    signal: deadline(patience),
  });
}

/** Send a file as it is. */
export function upload(path, file) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": file.type || "application/octet-stream", "X-Tock": "1" },
    body: file,
    signal: deadline(SLOW_PATIENCE_MS),
  });
}

/** Send a request of `docs/page-api.md` in the name of the own seat, or of the host. */
export function wish(kind, data = {}, { role = "seat", revision = null } = {}) {
  return post("request", { kind, data, role, revision });
}
