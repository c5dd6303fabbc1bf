// The rules of the game that is prepared, in the words that everybody in the lobby reads.

import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { say, t } from "../core/words.js";

/** @import { RulesetRow, View, Word } from "#types" */

/** @type {{ rulesets: RulesetRow[] | null }} */
export const known = { rulesets: null };

/** Fetch the rulesets that there are, once. */
export async function learnRulesets() {
  const answer = await get("rulesets");
  known.rulesets = answer.ok ? answer.data.rulesets : [];
}

/** @param {string | null} strength */
export function freeWord(strength) {
  return t(/** @type {Word} */ (strength === null ? "lobby-free-people" : `lobby-free-${strength}`));
}

/** @param {View} view */
export function rulesLine(view) {
  const row = known.rulesets?.find(({ name }) => name === view.game.ruleset);
  const changed = Object.keys(view.game.options).length;
  return h(
    "span",
    {},
    h("b", {}, row ? say(row.title) : t("lobby-rules")),
    h("small", {}, row ? say(row.line) : ""),
    changed > 0 && h("small", {}, t("lobby-changed", { n: changed })),
  );
}
