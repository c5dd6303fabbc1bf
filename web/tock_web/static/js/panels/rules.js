// The rules of the present game in plain words, fetched when somebody wants to read them.

import { get } from "../core/api.js";
import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";

export function rulesPanel(root) {
  const sheet = h("div", { class: "rulesheet" });
  const title = h("summary", {});
  const box = h("details", { testid: "rules" }, title, sheet);
  const draw = drawer(sheet, (rules) => rules.sections.flatMap(section));
  let game = null;
  let rules = null;
  root.replaceChildren(box);

  async function fill() {
    if (!box.open || !game) return;
    if (rules?.for !== game) {
      const wanted = game;
      const answer = await get("rules");
      if (!answer.ok) return;
      rules = { ...answer.data, for: wanted };
    }
    draw([language(), rules], rules);
  }

  box.addEventListener("toggle", fill);
  return (view) => {
    game = JSON.stringify([view.game.ruleset, view.game.options]);
    title.textContent = t("rules");
    fill();
  };
}

function section({ heading, lines }) {
  return [h("h3", {}, say(heading)), h("ul", {}, lines.map((line) => h("li", {}, say(line))))];
}
