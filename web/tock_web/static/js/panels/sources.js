// How the camera and the other sources are doing, in words.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";

/** With `onlyTrouble` the panel is empty while every source is well and has nothing to note. */
export function sourcesPanel(root, { onlyTrouble = false } = {}) {
  const draw = drawer(root, (sources) => {
    const shown = onlyTrouble ? sources.filter(({ condition, note }) => condition !== "ok" || note) : sources;
    if (!shown.length) return onlyTrouble ? [] : [h("p", {}, t("no-sources"))];
    return h(
      "ul",
      { class: "sources" },
      shown.map(({ name, condition, sentence }) =>
        h("li", { "data-condition": condition }, h("b", {}, t(`source.${name}`)), " ", say(sentence)),
      ),
    );
  });
  return (view) => draw([language(), view.sources], view.sources ?? []);
}
