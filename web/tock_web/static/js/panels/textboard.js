// The board in words, for those who do not see it: where the pawns of every seat stand.

import { drawer, h, whenOpen, write } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";
import { seatName } from "./seats.js";

export function textBoard(root, looks) {
  const title = h("summary", {});
  const list = h("ul", { class: "history", id: "board-in-words" });
  const box = h("details", { testid: "text-board" }, title, list);
  root.replaceChildren(box);
  const fill = drawer(list, (view) => view.seats.map((entry) => line(entry, view, looks)));
  const draw = whenOpen(box, (view) => fill([language(), view.seats, view.places], view));
  return (view) => {
    write(title, t("text-board"));
    draw(view);
  };
}

function line(entry, view, looks) {
  const color = t(`color.${looks.get(entry.seat).color}`);
  const name = entry.name ? `${seatName(entry, looks)}, ${color}` : color;
  return h(
    "li",
    {},
    pawnIcon(looks.get(entry.seat)),
    h("span", {}, h("b", {}, name), " : ", say(view.places?.[entry.seat])),
  );
}
