// The companion in a worker: Python, its table and its page, which answers as a server would.

import { loadPython } from "./python.js";

const TURN_MS = 30;

/** @type {any} */
let demo = null;
/** @type {any} */
let python = null;

async function load() {
  python = await loadPython();
  const { Demo } = python.pyimport("tock_demo.table");
  const { Path } = python.pyimport("pathlib");
  demo = Demo(Path("/table"));
  setInterval(turn, TURN_MS);
}

/** Let the table go on, and send on what its streams say. */
function turn() {
  const news = demo.turn();
  for (const [stream, text] of news.toJs()) postMessage({ stream, text: text ?? null });
  news.destroy();
}

const loading = load();

self.addEventListener("message", async ({ data }) => {
  try {
    await loading;
    postMessage({ id: data.id, ...answered(data) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
});

/** @param {any} asked */
function answered(asked) {
  if (asked.kind === "sit") {
    demo.sit(python.toPy(asked.names), asked.lang);
    return {};
  }
  if (asked.kind === "end") {
    demo.end_stream(asked.stream);
    return {};
  }
  const sent = typeof asked.body === "string" ? new TextEncoder().encode(asked.body) : asked.body;
  const body = python.toPy(sent ?? new Uint8Array()).tobytes();
  const answer = demo.call(asked.phone, asked.method, asked.path, python.toPy({ ...asked.headers }), body);
  const { status, kind: type, boot, stream = null } = answer;
  const found = { status, type, boot, stream, body: answer.body.toJs() };
  answer.destroy();
  return found;
}
