// Somebody asks for a seat that is taken: its holder or the host says yes or no.

import { drawer, h } from "../core/dom.js";
import { language, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";

/** `answer(number, yes)` sends the answer. */
export function wishesPanel(root, looks, answer) {
  const draw = drawer(root, (view) => (view.wishes ?? []).map((wish) => question(wish, view, looks, answer)));
  return (view) => draw([language(), view.wishes, view.seat], view);
}

function question({ number, seat, name }, view, looks, answer) {
  const mine = view.seat === seat;
  const color = t(`color.${looks.get(seat).color}`);
  const button = (yes, word) =>
    h(
      "button",
      {
        type: "button",
        class: yes ? "wide" : "main",
        testid: yes ? "seat-yes" : "seat-no",
        onclick: () => answer(number, yes),
      },
      t(word),
    );
  return h(
    "section",
    { class: "question", testid: "seat-wish", role: "alert" },
    h(
      "h2",
      { class: "with-icon" },
      pawnIcon(looks.get(seat)),
      h("span", {}, t(mine ? "wish-mine" : "wish-other", { name, color })),
    ),
    h(
      "div",
      { class: "choices" },
      button(false, "wish-no"),
      button(true, mine ? "wish-yes" : "wish-yes-host"),
    ),
  );
}
