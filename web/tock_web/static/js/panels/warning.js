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
      steps(warning, looks),
      nearest(warning),
      breaks.length > 0 && h("p", { class: "refs" }, t("rule"), " ", breaks.map((ref) => h("span", { class: "ref" }, ref))),
    );
  });
  return (view) => draw([language(), view.warning], view.warning);
}

function steps(warning, looks) {
  const repair = warning.repair ?? [];
  if (!repair.length) return null;
  return [
    h("p", { class: "repair-title" }, t(repair.length > 1 ? "repair-many" : "repair-one", { n: repair.length })),
    h(
      "ol",
      { class: "repair" },
      repair.map((step) =>
        h(
          "li",
          { testid: "repair-step", "data-from": step.from_hole, "data-to": step.to_hole },
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
