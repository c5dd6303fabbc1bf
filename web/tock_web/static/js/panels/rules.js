// The rules of the present game in plain words, fetched when somebody wants to read them.

import { get } from "../core/api.js";
import { drawer, h, write } from "../core/dom.js";
import { language, say, t } from "../core/words.js";

let kept = { game: null, sections: [] };

/** Return the sections of the rules of a view's game; none when they cannot be fetched. */
export async function rulesOf({ ruleset, options }) {
  const game = JSON.stringify([ruleset, options]);
  if (kept.game !== game) {
    const answer = await get("rules");
    if (!answer.ok) return [];
    kept = { game, sections: answer.data.sections };
  }
  return kept.sections;
}

/** Return the sentences that put some statements into words. */
export async function rulesAbout(game, wanted) {
  const sections = await rulesOf(game);
  return sections
    .flatMap(({ lines }) => lines)
    .filter(({ statements }) => statements.some((statement) => wanted.includes(statement)));
}

export function rulesPanel(root) {
  const sheet = h("div", { class: "rulesheet" });
  const title = h("summary", {});
  const box = h("details", { testid: "rules" }, title, sheet);
  const draw = drawer(sheet, (sections) => sections.flatMap(section));
  let game = null;
  root.replaceChildren(box);

  async function fill() {
    if (!box.open || !game) return;
    const sections = await rulesOf(game);
    draw([language(), sections], sections);
  }

  box.addEventListener("toggle", fill);
  return (view) => {
    game = view.game;
    write(title, t("rules"));
    fill();
  };
}

function section({ heading, lines }) {
  return [
    h("h3", {}, say(heading)),
    h(
      "ul",
      {},
      lines.map((line) => h("li", {}, say(line))),
    ),
  ];
}
