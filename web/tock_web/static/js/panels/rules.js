// The rules of the current game in plain words, fetched on demand.

import { get } from "../core/api.js";
import { h, write } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";

/** @import { GameInfo, RuleSection, Text, View } from "#types" */
/** @typedef {Pick<GameInfo, "ruleset" | "options">} Variant */

/** Fetched rules, by ruleset and house rules. @type {Map<string, RuleSection[]>} */
const fetched = new Map();

/** Fetched statements, by ruleset, house rules and numbers. @type {Map<string, readonly Text[]>} */
const explained = new Map();

/** Fetch the rules of a game, once; empty when they cannot be fetched. @param {Variant} game */
export async function rulesOf({ ruleset, options }) {
  const key = JSON.stringify([ruleset, options]);
  const known = fetched.get(key);
  if (known) return known;
  const answer = await get("rules");
  if (!answer.ok) return [];
  fetched.set(key, answer.data.sections);
  return answer.data.sections;
}

/**
 * The sentences of numbered statements, as this game is played; empty when they cannot be fetched.
 * @type {(game: Variant, wanted: readonly string[]) => Promise<readonly Text[]>}
 */
export async function rulesAbout({ ruleset, options }, wanted) {
  const key = JSON.stringify([ruleset, options, wanted]);
  const known = explained.get(key);
  if (known || !wanted.length) return known ?? [];
  const answer = await get("rules/statements", { refs: wanted.join(",") });
  if (!answer.ok) return [];
  explained.set(key, answer.data.sentences);
  return answer.data.sentences;
}

/** @param {HTMLElement} root */
export function rulesPanel(root) {
  const sheet = h("div.rulesheet");
  const title = h("summary");
  const box = h("details", { testid: "rules" }, title, sheet);
  const draw = drawer(sheet, (/** @type {RuleSection[]} */ sections) => sections.map(sectionRows));
  /** @type {GameInfo | null} */
  let game = null;
  root.replaceChildren(box);

  async function fill() {
    if (!box.open || !game) return;
    const sections = await rulesOf(game);
    draw([language(), sections], sections);
  }

  box.addEventListener("toggle", fill);
  return (/** @type {View} */ view) => {
    game = view.game;
    write(title, t("rules"));
    fill();
  };
}

/** @param {RuleSection} section */
function sectionRows({ heading, lines }) {
  const rules = lines.map((line) => h("li", say(line)));
  return [h("h3", say(heading)), h("ul", rules)];
}
