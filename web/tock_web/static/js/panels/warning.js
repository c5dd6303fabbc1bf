// What is wrong on the table, which rule says so, and how to put it right; goes away by itself.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";

export function warningPanel(root, looks) {
  const draw = drawer(root, (warning) => {
    if (!warning) return [];
    const breaks = warning.breaks ?? [];
    return h(
      "section",
      { class: "warning", testid: "warning", role: "alert", "data-breaks": breaks.join(" ") },
      h("h2", {}, t("warning-title")),
      h("p", { class: "warning-message" }, h("span", { class: "bang", "aria-hidden": "true" }, "!"), h("span", {}, say(warning.message))),
      steps(warning.repair, "repair", "repair-step", looks),
      steps(warning.finish, "finish", "finish-step", looks),
      nearest(warning),
      breaks.length > 0 && h("p", { class: "refs" }, t("rule"), " ", breaks.map((ref) => h("span", { class: "ref" }, ref))),
    );
  });
  return (view) => draw([language(), view.warning], view.warning);
}

/** One way to put the board right: `repair` leads back, `finish` on to the nearest legal move. */
function steps(way, title, testid, looks) {
  if (!way?.length) return null;
  return [
    h("p", { class: "repair-title" }, t(`${title}-${way.length > 1 ? "many" : "one"}`, { n: way.length })),
    h(
      "ol",
      { class: "repair" },
      way.map((step) =>
        h(
          "li",
          { testid, "data-from": step.from_hole, "data-to": step.to_hole },
          pawnIcon(looks.get(step.seat)),
          h("span", {}, say(step.sentence)),
        ),
      ),
    ),
  ];
}

function nearest(warning) {
  const labels = (warning.nearest ?? []).map(({ label }) => say(label)).filter(Boolean);
  if (!labels.length) return null;
  return h("p", { class: "nearest" }, t("nearest"), " ", h("em", {}, labels.join(" / ")));
}
