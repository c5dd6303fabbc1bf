// Packs the settings of a memory card with the companion's own Python.

import { loadPython } from "./python.js";

const loading = loadPython();

self.addEventListener("message", async ({ data }) => {
  try {
    const python = await loading;
    const packed = python.pyimport("tock_demo.card").pack(python.toPy(data));
    postMessage({ packed: packed.toJs() });
  } catch (error) {
    // The last line of Python's report is the sentence for people.
    postMessage({ failed: String(error).trim().split("\n").at(-1)?.replace(/^[\w.]+: /, "") });
  }
});
