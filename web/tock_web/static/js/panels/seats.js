// Players and whose turn it is; where the pawns stand and the last moves, both in words.

import { pawnIcon } from "../board/shapes.js";
import { h, write } from "../core/dom.js";
import { drawer, whenOpen } from "../core/store.js";
import { language, say, t, tNamed } from "../core/words.js";

/** @import { Children, SeatInfo, SeatName, SeatStyles, View } from "#types" */

/**
 * The name of a seat: the player's, or the colour while nobody sits there.
 * @type {(entry: SeatInfo, styles: SeatStyles) => string}
 */
export function seatName(entry, styles) {
  return entry.name || colorName(entry.seat, styles);
}

/** @type {(seat: string, styles: SeatStyles) => string} */
export function colorName(seat, styles) {
  return tNamed("color.", styles.get(seat)?.color ?? "grey");
}

/**
 * A question about a seat, with the buttons that answer it.
 * @type {(testid: string, seat: SeatName, styles: SeatStyles, sentence: string, answers: Children) => HTMLElement}
 */
export function seatQuestion(testid, seat, styles, sentence, answers) {
  return h(
    "section.question",
    { testid, role: "alert" },
    h("h2.with-icon", pawnIcon(styles.get(seat)), h("span", sentence)),
    answers && h("div.choices", answers),
  );
}

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {string | null} [me] whose page this is, if it is a player's
 */
export function seatsPanel(root, styles, me = null) {
  const draw = drawer(root, (/** @type {View} */ view) => [
    h("h2", t("players")),
    h(
      "ul.seats",
      view.seats.map((entry) => row(entry, view, styles, me)),
    ),
  ]);
  return (/** @type {View} */ view) => draw([language(), view.seats, view.to_move, view.stored_moves], view);
}

/** @type {(entry: SeatInfo, view: View, styles: SeatStyles, me: string | null) => HTMLLIElement} */
function row(entry, view, styles, me) {
  const stored = view.stored_moves?.[entry.seat] ?? 0;
  const nobody = h("em", t(entry.computer ? "computer" : "seat-free"));
  const you = entry.seat === me && [" ", h("small", `(${t("you")})`)];
  return h(
    "li",
    { class: entry.seat === view.to_move ? "to-move" : null },
    pawnIcon(styles.get(entry.seat)),
    h("span.seat-name", entry.taken ? entry.name : nobody, you),
    h("span.seat-color", colorName(entry.seat, styles)),
    stored > 0 && h("span.stored", t(stored > 1 ? "stored-many" : "stored", { n: stored })),
  );
}

/**
 * The board in words, for those who cannot see it: where each seat's pawns stand.
 * @type {(root: HTMLElement, styles: SeatStyles) => (view: View) => void}
 */
export function textBoard(root, styles) {
  const title = h("summary");
  const list = h("ul.history", { id: "board-in-words" });
  const box = h("details", { testid: "text-board" }, title, list);
  root.replaceChildren(box);
  const line = (/** @type {SeatInfo} */ entry, /** @type {View} */ view) => {
    const color = colorName(entry.seat, styles);
    const name = entry.name ? `${seatName(entry, styles)}, ${color}` : color;
    const words = h("span", h("b", name), t("colon"), say(view.places?.[entry.seat]));
    return h("li", pawnIcon(styles.get(entry.seat)), words);
  };
  const fill = drawer(list, (/** @type {View} */ view) => view.seats.map((entry) => line(entry, view)));
  const draw = whenOpen(box, (/** @type {View} */ view) => fill([language(), view.seats, view.places], view));
  return (/** @type {View} */ view) => {
    write(title, t("text-board"));
    draw(view);
  };
}

/**
 * The last moves in words, newest first.
 * @type {(root: HTMLElement, styles: SeatStyles) => (view: View) => void}
 */
export function historyPanel(root, styles) {
  const list = h("ol.history");
  const title = h("summary");
  const box = h("details", { testid: "history" }, title, list);
  root.replaceChildren(box);
  const fill = drawer(list, (/** @type {View["history"]} */ history) =>
    history.length
      ? history.map(({ seat, label }) => h("li", pawnIcon(styles.get(seat)), h("span", say(label)))).reverse()
      : [h("li", t("history-empty"))],
  );
  const draw = whenOpen(box, (/** @type {View} */ view) =>
    fill([language(), view.history], view.history ?? []),
  );
  return (/** @type {View} */ view) => {
    write(title, t("history"));
    draw(view);
  };
}
