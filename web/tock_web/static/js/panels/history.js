// The last moves in words, newest first.

import { drawer, h, whenOpen, write } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";

export function historyPanel(root, looks) {
  const list = h("ol", { class: "history" });
  const title = h("summary", {});
  const box = h("details", { testid: "history" }, title, list);
  root.replaceChildren(box);
  const fill = drawer(list, (history) =>
    history.length
      ? [...history]
          .reverse()
          .map((entry) => h("li", {}, pawnIcon(looks.get(entry.seat)), h("span", {}, say(entry.label))))
      : [h("li", {}, t("history-empty"))],
  );
  const draw = whenOpen(box, (view) => fill([language(), view.history], view.history ?? []));
  return (view) => {
    write(title, t("history"));
    draw(view);
  };
}
