// The eight signs between two homes, drawn with a few lines each, and the knock.

import { s } from "../core/dom.js";

/** @import { SignInfo } from "#types" */
/** @typedef {SignInfo["sign"]} Sign */

/** In the order of their buttons. */
export const SIGNS = /** @type {const} */ ([
  "clap",
  "laugh",
  "wow",
  "heart",
  "ouch",
  "think",
  "hurry",
  "tea",
]);
const FACE = "M24 5a19 19 0 1 0 .01 0z";
/**
 * The filled shape of each, in its colour, and the lines over it (48 units wide).
 * @type {Record<Sign, { fill: "gold" | "rose" | "sky" | "paper", shape: string, lines: string }>}
 */
const DRAWN = {
  clap: {
    fill: "gold",
    shape:
      "M15 22V11a3 3 0 0 1 6 0v9l4-10a3 3 0 0 1 5.500 2l-3 9 5-7a3 3 0 0 1 5 3.500l-7 12c-3 6-6 10-12 10-7 0-11-5-11-12v-6a3 3 0 0 1 6 0z",
    lines: "M33 4l-1.500 4M40 7l-3 3M44 14l-4 1.500M15 22v5M21 20v4",
  },
  laugh: {
    fill: "gold",
    shape: FACE,
    lines: "M12 19l4-4 4 4M28 19l4-4 4 4M13 26h22a11 11 0 0 1-22 0zM9 25c-3 3-4 6-2 7s4-2 2-7z",
  },
  wow: {
    fill: "gold",
    shape: FACE,
    lines: "M13 13q3-4 6-1M29 12q3-3 6 1M17 19v2M31 19v2M24 27c-4 0-5 4-5 6s2 4 5 4 5-2 5-4-1-6-5-6z",
  },
  heart: {
    fill: "rose",
    shape: "M24 42C9 32 4 24 6 16 8 8 19 6 24 15 29 6 40 8 42 16c2 8-3 16-18 26z",
    lines: "M12 16c1-3 3-4 6-4",
  },
  ouch: {
    fill: "gold",
    shape: FACE,
    lines: "M12 14l6 4-6 4M36 14l-6 4 6 4M13 34q3-5 6-1t5-1 5 1 6 1",
  },
  think: {
    fill: "gold",
    shape: FACE,
    lines: "M13 14q3-2 6 0M29 11q3-3 6-1M17 20v2M31 18v3M17 32q6-3 13 0M14 45c-3-5 0-8 4-8l6-1",
  },
  hurry: {
    fill: "sky",
    shape: "M13 6h22v4c0 7-5 10-8 14 3 4 8 7 8 14v4H13v-4c0-7 5-10 8-14-3-4-8-7-8-14z",
    lines: "M10 6h28M10 42h28M18 14h12l-6 7zM24 27v6M17 39q7-6 14 0",
  },
  tea: {
    fill: "paper",
    shape: "M8 21h27v8c0 7-5 12-13.500 12S8 36 8 29z",
    lines: "M35 24h3a5 5 0 0 1 0 10h-4M15 16q-3-4 0-7t0-6M22 16q-3-4 0-7t0-6M29 16q-3-4 0-7t0-6M5 45h33",
  },
  knock: {
    fill: "gold",
    shape:
      "M12 24c0-3 4-4 6-2v-3c0-4 6-4 6 0 0-4 6-4 6 0 1-3 6-3 6 1 1-2 5-2 5 2v9c0 8-5 13-14 13S12 40 12 33z",
    lines: "M18 22v6M24 19v8M30 19v8M36 20v7M8 14l-4-4M14 10l-2-6M22 9l1-6",
  },
};

/** The drawing of a sign; its word stands beside it, or is its button's name. @param {Sign} sign */
export function signDrawing(sign) {
  const { fill, shape, lines } = DRAWN[sign];
  return s(
    "svg",
    { class: `sign sign-${fill}`, viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false" },
    s("path.sign-shape", { d: shape }),
    s("path.sign-lines", { d: lines }),
  );
}
