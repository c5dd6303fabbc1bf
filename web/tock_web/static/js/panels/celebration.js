// Joy when somebody wins: confetti over the page, and a few notes. Both are made here; nothing is loaded for them.

import { recall } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { playNotes, soundContext } from "./settings.js";

/** @import { SeatStyles, View } from "#types" */
/** @typedef {{ x: number, y: number, speed: number, sway: number, turn: number, size: number, fill: string }} Paper */

const PAPERS = 120;
const RAIN_MS = 4_000;
const GRAVITY_PX = 0.34;
/** A rising chord, and its octave held: [Hz, start in s, length in s]. */
const FANFARE = [
  [523, 0, 0.16],
  [659, 0.14, 0.16],
  [784, 0.28, 0.16],
  [1047, 0.42, 0.7],
  [784, 0.42, 0.7],
];
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Celebrate on the winners' phones and on the table's screen; the others only hear it.
 * @type {(view: View, styles: SeatStyles) => void}
 */
export function celebrate(view, styles) {
  const isTheirs = view.role !== "seat" || (view.game.winner ?? []).includes(view.seat);
  if (isTheirs && !CALM.matches) rain([...styles.values()].map(({ fill }) => fill));
  if (recall("sound", "on") === "on") playNotes(soundContext(), FANFARE, "triangle", 0.14);
}

/** @param {string[]} fills */
function rain(fills) {
  const sheet = h("canvas.confetti", { "aria-hidden": "true", testid: "confetti" });
  const pen = sheet.getContext("2d");
  if (!pen) return;
  [sheet.width, sheet.height] = [innerWidth, innerHeight];
  document.body.append(sheet);
  /** @type {Paper[]} */
  const papers = Array.from({ length: PAPERS }, (_, index) => ({
    x: Math.random() * sheet.width,
    y: -Math.random() * sheet.height,
    speed: 2 + Math.random() * 3,
    sway: Math.random() * 6,
    turn: Math.random() * 3,
    size: 6 + Math.random() * 6,
    fill: fills[index % fills.length],
  }));
  const beganMs = performance.now();
  const fall = (/** @type {number} */ nowMs) => {
    const share = (nowMs - beganMs) / RAIN_MS;
    pen.clearRect(0, 0, sheet.width, sheet.height);
    pen.globalAlpha = Math.max(0, Math.min(1, 4 * (1 - share)));
    for (const paper of papers) drop(pen, paper, nowMs / 1000);
    if (share < 1) requestAnimationFrame(fall);
    else sheet.remove();
  };
  requestAnimationFrame(fall);
}

/** @type {(pen: CanvasRenderingContext2D, paper: Paper, nowS: number) => void} */
function drop(pen, paper, nowS) {
  paper.y += paper.speed;
  paper.speed += GRAVITY_PX * 0.05;
  pen.save();
  pen.translate(paper.x + 14 * Math.sin(nowS * 2 + paper.sway), paper.y);
  pen.rotate(nowS * paper.turn + paper.sway);
  pen.fillStyle = paper.fill;
  pen.fillRect(-paper.size / 2, -paper.size / 4, paper.size, paper.size / 2);
  pen.restore();
}
