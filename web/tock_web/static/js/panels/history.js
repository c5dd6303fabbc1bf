// The last moves in words, newest first.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";

export function historyPanel(root, looks) {
  const list = h("ol", { class: "history" });
  const title = h("summary", {});
  root.replaceChildren(h("details", {}, title, list));
  const draw = drawer(list, (history) =>
    history.length
      ? [...history].reverse().map((entry) => h("li", {}, pawnIcon(looks.get(entry.seat)), h("span", {}, say(entry.label))))
      : [h("li", {}, t("history-empty"))],
  );
  return (view) => {
    title.textContent = t("history");
    draw([language(), view.history], view.history ?? []);
  };
}
