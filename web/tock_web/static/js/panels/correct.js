// "The camera is wrong": the board is put right by touch, a pawn at a time, under a magnifier.

import { h, s } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { Board } from "../board/board.js";

const LENS = 5;

/** Draw the button into `root`; `send(changes)` gets the movements `[{seat, from, to}]` once they are confirmed. */
export function correctPanel(root, boardFile, looks, { angle = 0, send }) {
  const frame = h("div", { class: "board-frame" });
  const say = h("p", { class: "correct-say", role: "status", "data-testid": "correct-say" });
  const done = h("button", { type: "button", class: "main", testid: "correct-send", onclick: finish });
  const back = h("button", { type: "button", class: "wide", testid: "correct-undo", onclick: undo });
  const cancel = h("button", {
    type: "button",
    class: "quiet",
    testid: "correct-cancel",
    onclick: () => dialog.close(),
  });
  const whole = h("button", {
    type: "button",
    class: "quiet",
    testid: "correct-whole",
    onclick: () => magnify(null),
  });
  const title = h("h2", { id: "correct-title" });
  const dialog = h(
    "dialog",
    { class: "replay", testid: "correct", "aria-labelledby": "correct-title" },
    frame,
    h("div", { class: "replay-side" }, title, say, back, done, whole, cancel),
  );
  const opener = h("button", { type: "button", class: "quiet", testid: "correct-open", onclick: open });
  root.replaceChildren(opener, dialog);
  let [board, holes, changes, taken, newest] = [null, {}, [], null, null];

  function open() {
    board ??= new Board(frame, boardFile, looks, { angle, onTap: tapped });
    [holes, changes, taken] = [{ ...newest.holes }, [], null];
    dialog.showModal();
    magnify(null);
  }

  /** First the part of the board, then the hole: no hole of a phone is as large as a finger. */
  function magnify(point) {
    const { left, top, width, height } = board.layout.box;
    const side = board.layout.pitch * LENS * 1.6;
    board.svg.setAttribute(
      "viewBox",
      point
        ? `${point.x - side / 2} ${point.y - side / 2} ${side} ${side}`
        : `${left} ${top} ${width} ${height}`,
    );
    board.isZoomed = Boolean(point);
    draw();
  }

  function tapped(point) {
    if (!board.isZoomed) {
      magnify(point);
      return;
    }
    const { place, distance } = board.layout.nearest(point);
    if (distance > board.layout.pitch) return;
    const hole = place.hole.id;
    if (!taken) {
      if (!holes[hole]) return;
      taken = { seat: holes[hole], from: hole };
    } else if (hole === taken.from) {
      taken = null;
    } else if (!holes[hole]) {
      changes.push({ ...taken, to: hole });
      delete holes[taken.from];
      holes[hole] = taken.seat;
      taken = null;
    }
    magnify(null);
  }

  function undo() {
    const last = changes.pop();
    if (last) {
      delete holes[last.to];
      holes[last.from] = last.seat;
    }
    taken = null;
    magnify(null);
  }

  function finish() {
    send(changes);
    dialog.close();
  }

  function draw() {
    board.markPawns(holes);
    board.drawPawns(holes, taken ? new Set([taken.from]) : new Set());
    const { pitch } = board.layout;
    const rings = changes
      .map(({ to }) => board.layout.at(to))
      .map(({ x, y }) =>
        s("circle", { class: "mend right", cx: x, cy: y, r: pitch * 0.6, "stroke-width": pitch * 0.17 }),
      );
    const held = taken && board.layout.at(taken.from);
    board.put(
      "repair",
      rings,
      held &&
        s("circle", {
          class: "mend wrong",
          cx: held.x,
          cy: held.y,
          r: pitch * 0.6,
          "stroke-width": pitch * 0.17,
        }),
    );
    words();
  }

  function words() {
    opener.textContent = t("correct");
    title.textContent = t("correct");
    done.textContent = t(["correct-send-none", "correct-send"][changes.length] ?? "correct-send-many", {
      n: changes.length,
    });
    back.textContent = t("correct-undo");
    cancel.textContent = t("cancel");
    whole.textContent = t("correct-whole");
    done.disabled = !changes.length;
    back.hidden = !changes.length && !taken;
    whole.hidden = !board?.isZoomed;
    const zoomed = board?.isZoomed ? "hole" : "zone";
    say.textContent = t(`correct-${taken ? "put" : "take"}-${zoomed}`, {
      color: taken ? t(`color.${looks.get(taken.seat).color}`) : "",
    });
  }

  onLanguage(words);
  words();
  return (view) => {
    newest = view;
    root.hidden = view.game.ended;
  };
}
