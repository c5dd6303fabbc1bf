// What is wrong on the table, which rule says so, and how to put it right; goes away by itself.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";
import { rulesAbout } from "./rules.js";

const ROOMY = matchMedia("(min-width: 760px)");

export function warningPanel(root, looks) {
  let most = 0;
  const draw = drawer(root, ({ warning, game }) => {
    if (!warning) return [];
    const breaks = warning.breaks ?? [];
    return h(
      "section",
      { class: "warning", testid: "warning", role: "alert", "data-breaks": breaks.join(" ") },
      h("h2", {}, t("warning-title")),
      h(
        "p",
        { class: "warning-message" },
        h("span", { class: "bang", "aria-hidden": "true" }, "!"),
        h("span", {}, say(warning.message)),
      ),
      repair(warning.repair, looks, most),
      finish(warning.finish, looks),
      nearest(warning),
      breaks.length > 0 && rules(breaks, game),
    );
  });
  return (view) => {
    // How many steps there were at the start: what is done already is counted, too.
    most = view.warning ? Math.max(most, view.warning.repair?.length ?? 0) : 0;
    draw([language(), view.warning, most], view);
  };
}

/** The rules that were broken; a touch tells them in plain words. */
function rules(breaks, game) {
  const text = h("ul", { class: "rule-text", testid: "rule-text", "aria-live": "polite" });
  const asked = h(
    "button",
    { type: "button", class: "ref", testid: "rule-ref", "aria-expanded": "false", onclick: tell },
    t("rule", { statements: breaks.join(", ") }),
  );

  async function tell() {
    const isOpen = asked.getAttribute("aria-expanded") === "true";
    const lines = isOpen ? [] : await rulesAbout(game, breaks);
    asked.setAttribute("aria-expanded", String(lines.length > 0));
    text.replaceChildren(...lines.map((line) => h("li", {}, say(line))));
  }

  return h("div", { class: "refs" }, asked, text);
}

/** The way back to how the board was. */
function repair(way, looks, most) {
  if (!way?.length) return null;
  const step =
    most > 1 &&
    h(
      "p",
      { class: "repair-at", testid: "repair-at" },
      t("repair-at", { n: most - way.length + 1, all: most }),
    );
  return [step || h("p", { class: "repair-title" }, title("repair", way)), steps(way, "repair-step", looks)];
}

/** The way on to the nearest legal move; folded on a phone, where the board must stay in sight. */
function finish(way, looks) {
  if (!way?.length) return null;
  return h(
    "details",
    { class: "finish", open: ROOMY.matches },
    h("summary", {}, title("finish", way)),
    steps(way, "finish-step", looks),
  );
}

function title(kind, way) {
  return t(`${kind}-${way.length > 1 ? "many" : "one"}`, { n: way.length });
}

function steps(way, testid, looks) {
  return h(
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
  );
}

function nearest(warning) {
  if (warning.finish?.length) return null;
  const labels = (warning.nearest ?? []).map(({ label }) => say(label)).filter(Boolean);
  if (!labels.length) return null;
  return h("p", { class: "nearest" }, t("nearest"), " ", h("em", {}, labels.join(" / ")));
}
