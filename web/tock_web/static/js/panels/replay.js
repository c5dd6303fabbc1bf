// The whole game to step through: a board of its own, a slider, and the way back together.

import { get } from "../core/api.js";
import { drawer, h } from "../core/dom.js";
import { language, onLanguage, say, t } from "../core/words.js";
import { Board } from "../board/board.js";
import { drawLastMove } from "../board/overlays.js";
import { pawnIcon } from "../board/shapes.js";
import { toast } from "./toast.js";

const PLAY_MS = 1_400;

/** Draw the button that opens the game; `propose(seq)` is given where going back may be proposed. */
export function replayPanel(root, boardFile, looks, { angle = 0, propose = null } = {}) {
  const frame = h("div", { class: "board-frame" });
  const side = h("div", { class: "replay-side" });
  const dialog = h(
    "dialog",
    { class: "replay", testid: "replay", "aria-labelledby": "replay-title" },
    frame,
    side,
  );
  const opener = h("button", { type: "button", class: "quiet", testid: "replay-open", onclick: open });
  root.replaceChildren(opener, dialog);
  const word = () => {
    opener.textContent = t("replay");
  };
  onLanguage(word);
  word();
  const draw = drawer(side, controls);
  let [board, steps, at, timer] = [null, [], 0, null];

  async function open() {
    const answer = await get("replay");
    if (!answer.ok) return;
    ({ steps } = answer.data);
    dialog.showModal();
    board ??= new Board(frame, boardFile, looks, { angle });
    show(steps.length - 1);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
  }

  function show(next) {
    at = Math.max(0, Math.min(steps.length - 1, next));
    if (at === steps.length - 1) stop();
    board.markPawns(steps[at].holes);
    board.drawPawns(steps[at].holes);
    drawLastMove(board, steps[at]);
    const focused = side.contains(document.activeElement) ? document.activeElement.dataset.testid : null;
    draw([language(), steps.length, at, timer !== null]);
    side.querySelector(`[data-testid="${focused}"]`)?.focus();
  }

  function play() {
    if (timer !== null) {
      stop();
      show(at);
      return;
    }
    timer = setInterval(() => show(at + 1), PLAY_MS);
    show(at === steps.length - 1 ? 0 : at);
  }

  function controls() {
    const step = steps[at];
    return [
      h("h2", { id: "replay-title" }, t("replay")),
      h(
        "p",
        { class: "replay-step", testid: "replay-step", "aria-live": "polite" },
        step.seat && pawnIcon(looks.get(step.seat)),
        h("span", {}, h("b", {}, place(step)), " ", say(step.label)),
      ),
      h("input", {
        type: "range",
        class: "replay-slider",
        testid: "replay-slider",
        min: 0,
        max: steps.length - 1,
        value: at,
        "aria-label": t("replay-place"),
        oninput: (event) => show(Number(event.target.value)),
      }),
      h(
        "div",
        { class: "replay-keys" },
        button("replay-back", "◀", () => show(at - 1), at === 0),
        button("replay-play", timer === null ? "▶▶" : "❚❚", play, steps.length < 2),
        button("replay-next", "▶", () => show(at + 1), at === steps.length - 1),
      ),
      propose &&
        at < steps.length - 1 &&
        h(
          "button",
          { type: "button", class: "wide", testid: "propose-back", onclick: () => proposeFrom(at + 1) },
          t("propose-back"),
        ),
      h(
        "div",
        { class: "replay-keys" },
        h(
          "button",
          { type: "button", class: "quiet", testid: "record-copy", onclick: copy },
          t("record-copy"),
        ),
        h(
          "a",
          { class: "quiet", href: "/api/v1/record.txt", download: "tock.txt", "data-testid": "record-file" },
          t("record-file"),
        ),
      ),
      h(
        "button",
        { type: "button", class: "main", testid: "replay-close", onclick: () => dialog.close() },
        t("close"),
      ),
    ];
  }

  function place({ hand }) {
    const number = t("replay-at", { n: at, all: steps.length - 1 });
    return hand ? `${t("replay-hand", { n: hand })}, ${number}` : number;
  }

  /** Propose to be again where the shown step left the board: the turn after it goes, and all later ones. */
  function proposeFrom(next) {
    propose(steps[next].seq);
    dialog.close();
  }

  async function copy() {
    const answer = await fetch("/api/v1/record.txt", { cache: "no-store" });
    const text = h("textarea", { class: "out-of-sight", readonly: true, "aria-hidden": "true" });
    text.value = await answer.text();
    // `navigator.clipboard` does not exist on plain HTTP.
    dialog.append(text);
    text.select();
    const done = document.execCommand("copy");
    text.remove();
    toast(t(done ? "record-copied" : "refused"), done ? "good" : "bad");
  }

  dialog.addEventListener("close", stop);
}

function button(name, sign, onclick, disabled) {
  return h(
    "button",
    { type: "button", class: "big", testid: name, disabled, onclick },
    h("span", { "aria-hidden": "true" }, sign),
    h("span", { class: "out-of-sight" }, t(name)),
  );
}
