// The host gives seats that nobody holds to the computer.

import { drawer, h } from "../core/dom.js";
import { language, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";

const STRENGTHS = ["none", "easy", "medium", "strong"];

/** Draw a choice for every free seat; `send` makes the request. */
export function computersPanel(root, looks, send) {
  const draw = drawer(root, (seats) => seats.map((entry) => choice(entry, looks, send)));
  return (view) => {
    const free = view.seats.filter(({ taken }) => !taken).map(({ seat, computer }) => ({ seat, computer }));
    draw([language(), free], free);
  };
}

function choice({ seat, computer }, looks, send) {
  const look = looks.get(seat);
  const current = computer ?? "none";
  const select = h(
    "select",
    { testid: `computer-${seat}`, "aria-label": t(`color.${look.color}`) },
    STRENGTHS.map((name) => h("option", { value: name, selected: name === current }, t(`computer.${name}`))),
  );
  select.addEventListener("change", () =>
    send("set_computer", { seat, strength: select.value === "none" ? null : select.value }),
  );
  return h("li", {}, pawnIcon(look), h("span", {}, t(`color.${look.color}`)), select);
}
