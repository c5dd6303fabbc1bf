// Who sits where, whose turn it is.

import { drawer, h } from "../core/dom.js";
import { language, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";

/** Return the name by which a seat is called: the player's, or its colour while nobody sits there. */
export function seatName(entry, looks) {
  return entry.name || t(`color.${looks.get(entry.seat).color}`);
}

export function seatsPanel(root, looks) {
  const draw = drawer(root, (view) => [
    h("h2", {}, t("players")),
    h(
      "ul",
      { class: "seats" },
      view.seats.map((entry) => row(entry, view, looks)),
    ),
  ]);
  return (view) => draw([language(), view.seats, view.to_move, view.stored_moves], view);
}

function row(entry, view, looks) {
  const look = looks.get(entry.seat);
  const stored = view.stored_moves?.[entry.seat] ?? 0;
  return h(
    "li",
    { class: entry.seat === view.to_move ? "to-move" : null },
    pawnIcon(look),
    h(
      "span",
      { class: "seat-name" },
      entry.taken ? entry.name : h("em", {}, t(entry.computer ? "computer" : "seat-free")),
    ),
    h("span", { class: "seat-color" }, t(`color.${look.color}`), " ", h("small", {}, entry.seat)),
    stored > 0 && h("span", { class: "stored" }, t("stored", { n: stored })),
  );
}
