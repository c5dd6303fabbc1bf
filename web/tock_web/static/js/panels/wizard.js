// Setting the table up for the first time, step by step; every step looks for itself whether it is done.

import { get, post } from "../core/api.js";
import { drawer, h } from "../core/dom.js";
import { LANGUAGES, language, say, switchLanguage, t } from "../core/words.js";
import { Board } from "../board/board.js";
import { pawnIcon } from "../board/shapes.js";
import { viewPainter } from "../board/show.js";
import { cameraPicture } from "./camera.js";
import { colorsStep } from "./colors.js";
import { Corners } from "./corners.js";
import { granted, toast } from "./toast.js";

const ALL_STEPS = ["language", "network", "board", "camera", "colors", "pawns", "card", "moves"];
const LOOK_MS = 2_000;

/** `send(kind)` asks the table as the host; the answer draws each new view. */
export function wizard(root, { boardFile, looks, session, send }) {
  // Only a camera has corners and colours; reed contacts have neither.
  const STEPS = ALL_STEPS.filter((name) => session.camera || name !== "colors");
  const frame = h("div", { class: "board-frame" });
  const camera = h("img", { alt: "", hidden: true, draggable: "false" });
  const stage = h("div", { class: "camera-stage" }, camera);
  const body = h("div", { class: "replay-side" });
  const dialog = h(
    "dialog",
    { class: "replay wizard", testid: "wizard", "aria-labelledby": "wizard-title" },
    h("div", {}, frame, h("div", { class: "camera-frame" }, stage)),
    body,
  );
  const opener = h("button", { type: "button", class: "wide", testid: "wizard-open", onclick: open });
  root.replaceChildren(opener, dialog);
  const board = new Board(frame, boardFile, looks, { isNamed: false });
  const paint = viewPainter(board);
  const draw = drawer(body, step);
  let [at, view, phones, moved, cards] = [0, null, 0, 0, 0];
  const corners = new Corners(stage, camera, board, refresh);
  const colors = colorsStep(looks, refresh);
  const showsCamera = () => ["camera", "colors"].includes(STEPS[at]);
  // What is drawn onto the picture would hide the holes that are to be touched.
  cameraPicture(
    camera,
    () => (session.camera && !corners.asked ? "camera/overlay" : "preview"),
    () => dialog.open && showsCamera(),
  );
  setInterval(async () => {
    if (!dialog.open || STEPS[at] !== "network") return;
    const answer = await get("health");
    phones = answer.ok ? Math.max(0, answer.data.streams - 1) : 0;
    refresh();
  }, LOOK_MS);

  function open() {
    [at, moved, cards] = [0, 0, 0];
    dialog.showModal();
    refresh();
  }

  function go(next) {
    // While pawns are moved for a trial the referee looks away.
    if (["colors", "pawns"].includes(STEPS[next]) && !view.game.paused) send("pause");
    corners.stop();
    if (next >= STEPS.length || next < 0) dialog.close();
    else at = next;
    refresh();
  }

  dialog.addEventListener("close", () => {
    corners.stop();
    if (view?.game.paused) send("resume");
  });

  /** What a step sees: words, whether it is done, and what is to be done by hand. */
  function look() {
    const seats = view.seats.map(({ seat }) => seat);
    const sources = view.sources.filter(({ condition }) => condition === "ok");
    const hidden = Object.values(view.seen).filter(({ state }) => state === "unknown").length;
    const wrong = (seat) =>
      Object.entries(view.seen).filter(
        ([hole, { state, seat: other }]) =>
          (view.holes[hole] === seat && state === "empty") || (state === "pawn" && other === seat),
      ).length;
    switch (STEPS[at]) {
      case "language":
        return { done: session.pin, extra: [languages(), pinBox()] };
      case "network":
        return {
          done: phones > 0,
          extra: [
            h("img", { class: "wizard-code", src: "/api/v1/qr.svg", alt: "", width: 180, height: 180 }),
            h("p", {}, h("b", {}, session.url)),
            h("p", {}, t("wizard-phones", { n: phones })),
          ],
        };
      case "board":
        return {
          done: true,
          extra: [
            h("p", {}, h("b", {}, boardFile.name), ` · ${t("wizard-holes", { n: boardFile.holes.length })}`),
            seatList(seats, () => null),
          ],
        };
      case "camera":
        if (corners.asked) return { done: false, extra: corners.words() };
        return {
          done: sources.length > 0 && !hidden,
          extra: [
            view.sources.map(({ name, condition, sentence }) =>
              h(
                "p",
                { class: condition === "ok" ? "good" : "bad" },
                h("b", {}, t(`source.${name}`)),
                " ",
                say(sentence),
              ),
            ),
            h("p", {}, t("wizard-hidden", { n: hidden })),
            session.camera && corners.words(),
          ],
        };
      case "colors":
        return { done: colors.done(), extra: colors.words() };
      case "pawns":
        return {
          done: sources.length > 0 && seats.every((seat) => !wrong(seat)),
          extra: [seatList(seats, (seat) => (wrong(seat) ? t("wizard-wrong", { n: wrong(seat) }) : "✓"))],
        };
      case "card":
        return { done: cards > 0, extra: [] };
      default:
        return { done: moved > 0, extra: [h("p", {}, t("wizard-moved", { n: moved }))] };
    }
  }

  function step() {
    if (!view) return [];
    const name = STEPS[at];
    const { done, extra } = look();
    const last = at === STEPS.length - 1;
    return [
      h("p", { class: "hint-line" }, t("wizard-at", { n: at + 1, all: STEPS.length })),
      h("h2", { id: "wizard-title" }, t(`wizard.${name}`)),
      h("p", {}, t(`wizard-do.${name}`)),
      ...extra.flat(2),
      done && h("p", { class: "good", role: "status" }, "✓ ", t("wizard-done")),
      h(
        "button",
        { type: "button", class: done ? "main" : "wide", testid: "wizard-next", onclick: () => go(at + 1) },
        t(last ? "wizard-end" : done ? "wizard-next" : "wizard-skip"),
      ),
      at > 0 &&
        h(
          "button",
          { type: "button", class: "quiet", testid: "wizard-back", onclick: () => go(at - 1) },
          t("wizard-back"),
        ),
      !last && h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("close")),
    ];
  }

  function seatList(seats, mark) {
    return h(
      "ul",
      { class: "seats" },
      seats.map((seat) =>
        h(
          "li",
          {},
          pawnIcon(looks.get(seat)),
          h("span", {}, t(`color.${looks.get(seat).color}`)),
          h("b", {}, mark(seat)),
        ),
      ),
    );
  }

  function languages() {
    const name = { fr: "Français", en: "English" };
    return h(
      "div",
      { class: "choices" },
      LANGUAGES.map((lang) =>
        h(
          "button",
          {
            type: "button",
            class: "tile small",
            "aria-pressed": String(lang === language()),
            onclick: () => lang === language() || switchLanguage(),
          },
          name[lang],
        ),
      ),
    );
  }

  function pinBox() {
    const input = h("input", {
      id: "wizard-pin",
      type: "password",
      inputmode: "numeric",
      maxlength: 12,
      autocomplete: "new-password",
    });
    const keep = async () => {
      if (!granted(await post("host/pin", { pin: input.value || null }))) return;
      session.pin = Boolean(input.value);
      toast(t("done"), "good");
      refresh();
    };
    return [
      h("label", { for: "wizard-pin" }, t("new-pin")),
      input,
      h("button", { type: "button", class: "wide", testid: "wizard-pin-save", onclick: keep }, t("save")),
    ];
  }

  function refresh() {
    opener.textContent = t("wizard");
    stage.parentNode.hidden = !showsCamera();
    frame.hidden = ["language", "network"].includes(STEPS[at]);
    if (!view || !dialog.open) return;
    paint(view);
    corners.ring();
    draw([
      language(),
      at,
      corners.key(),
      colors.key(),
      phones,
      moved,
      cards,
      session.pin,
      view.sources,
      view.seen,
      view.seats.length,
    ]);
  }

  return (next) => {
    const seenBefore = JSON.stringify(view?.seen);
    if (dialog.open && view) {
      if (next.card && next.card !== view.card) cards += 1;
      const pawn = Object.values(next.seen).some(({ state }) => state === "pawn");
      if (STEPS[at] === "moves" && pawn && seenBefore !== JSON.stringify(next.seen)) moved += 1;
    }
    view = next;
    refresh();
  };
}
