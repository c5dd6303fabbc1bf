// The demo's page: starts the companion in a worker, and gives each frame the line of its phone.

import { lang, named, part, show, t } from "./page.js";

/** The phone of the board's frame: nobody's. */
const BOARD = 9;
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
/** @type {Map<number, { resolve: (found: any) => void, reject: (error: Error) => void }>} */
const asked = new Map();
/** @type {Map<number, DemoSource>} */
const sources = new Map();
/** @type {Map<number, string[]>} texts of streams whose source is not known yet */
const early = new Map();
let newest = 0;

worker.addEventListener("message", ({ data }) => {
  if (data.loaded) show(data.loaded);
  else if (data.stream !== undefined && data.id === undefined) take(data.stream, data.text);
  else {
    const waiting = asked.get(data.id);
    asked.delete(data.id);
    if (data.failed) waiting?.reject(new Error(data.failed));
    else waiting?.resolve(data);
  }
});
worker.addEventListener("error", (event) => fail(event.message));

/** Ask the worker. @type {(what: object) => Promise<any>} */
function ask(what) {
  const id = ++newest;
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject });
    worker.postMessage({ id, ...what });
  });
}

/** One stream of a phone, with as much of an EventSource as the page uses. */
class DemoSource extends EventTarget {
  /** @type {(phone: number, url: string) => void} */
  constructor(phone, url) {
    super();
    this.number = 0;
    this.ended = false;
    void this.open(phone, url);
  }

  /** @type {(phone: number, url: string) => Promise<void>} */
  async open(phone, url) {
    const answer = await ask({ kind: "call", phone, method: "GET", path: url, headers: {} });
    if (answer.stream === null) return void this.dispatchEvent(new Event("error"));
    this.number = answer.stream;
    if (this.ended) return void this.close();
    sources.set(this.number, this);
    for (const text of early.get(this.number) ?? []) this.take(text);
    early.delete(this.number);
  }

  take(/** @type {string | null} */ text) {
    if (text === null) return void this.dispatchEvent(new Event("error"));
    const fields = Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    );
    if (!fields.data) return;
    const { event = "message", data, id = "" } = fields;
    this.dispatchEvent(new MessageEvent(event, { data, lastEventId: id }));
  }

  close() {
    this.ended = true;
    sources.delete(this.number);
    if (this.number) void ask({ kind: "end", stream: this.number });
  }
}

function take(/** @type {number} */ stream, /** @type {string | null} */ text) {
  const source = sources.get(stream);
  if (source) source.take(text);
  else if (text !== null) early.set(stream, [...(early.get(stream) ?? []), text]);
}

/** The way of a phone to the table; frames take it from here. @param {number} phone */
function lineOf(phone) {
  return {
    isRemote: true,
    entersCards: () => false,
    fetch: async (/** @type {string} */ path, /** @type {RequestInit} */ options = {}) => {
      const { method = "GET", headers = {}, body = "" } = options;
      const sent = body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : body;
      const answer = await ask({ kind: "call", phone, method, path, headers, body: sent });
      const found = { "Content-Type": answer.type, ...(answer.boot && { "X-Tock-Boot": answer.boot }) };
      return new Response(answer.body, { status: answer.status, headers: found });
    },
    stream: (/** @type {string} */ url) => new DemoSource(phone, url),
  };
}
Object.assign(globalThis, { lineOf });

function fail(/** @type {string} */ reason) {
  part("trouble").textContent = `${t("failed")} ${reason}`;
  part("trouble").hidden = false;
}

async function begin() {
  const two = /** @type {HTMLInputElement} */ (part("two")).checked;
  const name = /** @type {HTMLInputElement} */ (part("name")).value.trim() || t("you");
  part("start").setAttribute("aria-busy", "true");
  /** @type {HTMLButtonElement} */ (part("begin")).disabled = true;
  try {
    await ask({ kind: "sit", names: two ? [name, t("second")] : [name], lang });
  } catch (error) {
    return fail(String(error));
  }
  show("all");
  const frames = part("frames");
  frames.append(frame("/sim", BOARD, "board"), frame("/seat", 0, "phone"));
  if (two) frames.append(frame("/seat", 1, "phone"));
  part("start").hidden = true;
  document.body.classList.add("playing");
}

/** @type {(path: string, phone: number, kind: string) => HTMLIFrameElement} */
function frame(path, phone, kind) {
  const node = document.createElement("iframe");
  node.src = `frame.html?phone=${phone}&path=${encodeURIComponent(path)}`;
  node.className = kind;
  node.title = t(kind);
  return node;
}

named("title");
/** @type {HTMLInputElement} */ (part("name")).placeholder = t("you");
part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  void begin();
});
if (!globalThis.WebAssembly || !globalThis.DecompressionStream) fail(t("old"));
if ("serviceWorker" in navigator && isSecureContext) void navigator.serviceWorker.register("offline.js");
