// The sentence on top: whose turn it is and what is expected.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";
import { cardFace } from "./card.js";

export function turnPanel(root, looks) {
  const draw = drawer(root, (view) => {
    const look = looks.get(view.to_move);
    const over = view.expects === "over";
    return [
      h("span", { class: "turn-seat" }, look && pawnIcon(look), look && h("span", {}, view.to_move)),
      h(
        "span",
        { class: "turn-text" },
        view.your_turn &&
          !over &&
          view.expects !== "repair" &&
          h("strong", { class: "yours" }, t("your-turn")),
        h("span", { class: "turn-sentence" }, say(view.sentence)),
        over && h("a", { href: "/host" }, t("over-next")),
      ),
      view.card && !view.your_turn && h("span", { class: "turn-card" }, cardFace(view.card)),
    ];
  });
  return (view) => {
    draw([language(), view.to_move, view.sentence, view.your_turn, view.expects, view.card], view);
    root.dataset.expects = view.expects;
    root.classList.toggle("mine", Boolean(view.your_turn));
  };
}
