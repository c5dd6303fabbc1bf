// Replay: step through the game on a board of its own, and propose to go back.

import { Board } from "../board/board.js";
import { drawLastMove } from "../board/overlays.js";
import { pawnIcon } from "../board/shapes.js";
import { get } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { line } from "../core/line.js";
import { Store, drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { NO_REPLAY, reduceReplay } from "../state/boards.js";
import { toast } from "./frame.js";

/** @import { BoardFile, Children, SeatStyles, ReplayStep } from "#types" */
/** @import { ReplayAction, ReplayState } from "../state/boards.js" */

const PLAY_MS = 1_400;

/**
 * The dialog in which a game is stepped through; call the answer to open it.
 *
 * @param {BoardFile} boardFile
 * @param {SeatStyles} styles
 * @param {object} [options]
 * @param {number} [options.angle] of the board, in degrees
 * @param {((seq: number) => void) | null} [options.propose] given where going back may be proposed
 */
export function replayDialog(boardFile, styles, { angle = 0, propose = null } = {}) {
  const [frame, side] = [h("div.board-frame"), h("div.replay-side")];
  const attributes = { class: "replay", testid: "replay", "aria-labelledby": "replay-title" };
  const dialog = h("dialog", attributes, frame, side);
  document.body.append(dialog);

  /** @type {Board | null} */
  let board = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  /** @type {Store<ReplayState, ReplayAction>} */
  const store = new Store(reduceReplay, NO_REPLAY, (state, before) => {
    if (state.isPlaying !== before.isPlaying) {
      clearInterval(timer);
      if (state.isPlaying) timer = setInterval(() => go(store.state.at + 1), PLAY_MS);
    }
    show(state);
  });
  const draw = drawer(side, (/** @type {ReplayState} */ state) =>
    controls(state, styles, {
      go,
      play: () => store.dispatch({ type: "playTapped" }),
      propose: propose && proposeFrom,
      copy: () => copyRecord(dialog),
      close: () => dialog.close(),
    }),
  );
  dialog.addEventListener("close", () => store.dispatch({ type: "closed" }));

  /** @param {number} to */
  function go(to) {
    store.dispatch({ type: "went", to });
  }

  /** @param {ReplayState} state */
  function show(state) {
    const step = state.steps[state.at];
    if (!board || !step) return;
    board.markPawns(step.holes);
    board.drawPawns(step.holes, new Set(), step.arrows);
    drawLastMove(board, step);
    draw([language(), state.steps.length, state.at, state.isPlaying], state);
  }

  /** Propose to return to the step shown: the turn after it is taken back, and all later ones. */
  function proposeFrom(/** @type {ReplayStep} */ next) {
    propose?.(next.seq);
    dialog.close();
  }

  return async () => {
    const answer = await get("replay");
    if (!answer.ok) return;
    dialog.showModal();
    board ??= new Board(frame, boardFile, styles, { angle });
    store.dispatch({ type: "opened", steps: answer.data.steps });
  };
}

/**
 * @param {ReplayState} state
 * @param {SeatStyles} styles
 * @param {object} actions
 * @param {(to: number) => void} actions.go
 * @param {() => void} actions.play
 * @param {((next: ReplayStep) => void) | null} actions.propose
 * @param {() => void} actions.copy
 * @param {() => void} actions.close
 * @returns {Children}
 */
function controls({ steps, at, isPlaying }, styles, { go, play, propose, copy, close }) {
  const [step, next, last] = [steps[at], steps[at + 1], steps.length - 1];
  /** @type {HTMLInputElement} */
  const slider = h("input.replay-slider", {
    type: "range",
    testid: "replay-slider",
    min: 0,
    max: last,
    value: at,
    "aria-label": t("replay-place"),
    oninput: () => go(Number(slider.value)),
  });
  const file = { class: "quiet", href: "/api/v1/record.txt", download: "tock.txt", testid: "record-file" };
  return [
    h("h2", { id: "replay-title" }, t("replay")),
    h(
      "p.replay-step",
      { testid: "replay-step", "aria-live": "polite" },
      step.seat && pawnIcon(styles.get(step.seat)),
      h("span", h("b", placeOf(step, at, last)), " ", say(step.label)),
    ),
    slider,
    h(
      "div.replay-keys",
      key("replay-back", "◀", () => go(at - 1), at === 0),
      key("replay-play", isPlaying ? "❚❚" : "▶▶", play, steps.length < 2),
      key("replay-next", "▶", () => go(at + 1), at === last),
    ),
    propose && next && button("wide", "propose-back", t("propose-back"), () => propose(next)),
    h(
      "div.replay-keys",
      button("quiet", "record-copy", t("record-copy"), copy),
      !line.isRemote && h("a", file, t("record-file")),
    ),
    button("main", "replay-close", t("close"), close),
  ];
}

/** @type {(step: ReplayStep, at: number, last: number) => string} */
function placeOf({ hand }, at, last) {
  const number = t("replay-at", { n: at, all: last });
  return hand ? `${t("replay-hand", { n: hand })}, ${number}` : number;
}

/**
 * A button with a symbol, and its name for screen readers.
 *
 * @param {"replay-back" | "replay-play" | "replay-next"} name
 * @param {string} sign
 * @param {() => void} onclick
 * @param {boolean} disabled
 */
function key(name, sign, onclick, disabled) {
  const words = [h("span", { "aria-hidden": "true" }, sign), h("span.out-of-sight", t(name))];
  return button("big", name, words, onclick, { disabled });
}

/** @param {HTMLElement} dialog where the copied text lies for a moment */
async function copyRecord(dialog) {
  const answer = await line.fetch("/api/v1/record.txt", { cache: "no-store" });
  const text = h("textarea.out-of-sight", { readonly: true, "aria-hidden": "true" });
  text.value = await answer.text();
  // `navigator.clipboard` does not exist on plain HTTP.
  dialog.append(text);
  text.select();
  const done = document.execCommand("copy");
  text.remove();
  toast(t(done ? "record-copied" : "refused"), done ? "good" : "bad");
}
