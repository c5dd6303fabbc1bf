// Python in a worker, with the companion's files unpacked and importable.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const SITE = "/site";
/** Files that come compressed: a plain file server sends them as they are. */
const COMPRESSED = ["pyodide.asm.wasm"];

const fetchPlain = self.fetch.bind(self);
self.fetch = async (asked, options) => {
  const url = String(asked instanceof Request ? asked.url : asked);
  if (!COMPRESSED.some((name) => url.endsWith(name))) return fetchPlain(asked, options);
  const packed = await fetchPlain(`${url}.gz`, options);
  if (!packed.ok || !packed.body) return packed;
  const body = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": "application/wasm" } });
};

/** Load everything; each part loaded is posted to the page. @type {() => Promise<any>} */
export async function loadPython() {
  const files = fetchPlain(new URL("app.zip", import.meta.url)).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  postMessage({ loaded: "python" });
  python.unpackArchive(await files, "zip", { extractDir: SITE });
  postMessage({ loaded: "files" });
  python.globals.set("site", SITE);
  python.runPython("import sys; sys.path.insert(0, site); sys.dont_write_bytecode = True");
  return python;
}
