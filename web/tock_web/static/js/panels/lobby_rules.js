// The rules of the game that is prepared, in the words that everybody in the lobby reads.

import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { say, t } from "../core/words.js";

/** @import { GameInfo, RulesetRow, View, Word } from "#types" */

/** @type {{ rulesets: RulesetRow[] | null }} */
export const known = { rulesets: null };

/** Fetch the games that there are. */
export async function learnRulesets() {
  const answer = await get("rulesets");
  known.rulesets = answer.ok ? answer.data.rulesets : [];
}

/** The family's own game that is prepared, or the printed one. @param {GameInfo} game */
export function chosenRow({ ruleset, options }) {
  const rows = known.rulesets?.filter(({ name }) => name === ruleset);
  const text = JSON.stringify(options);
  return rows?.find((row) => JSON.stringify(row.options) === text) ?? rows?.at(-1);
}

/** @param {string | null} strength */
export function freeWord(strength) {
  return t(/** @type {Word} */ (strength === null ? "lobby-free-people" : `lobby-free-${strength}`));
}

/** @param {View} view */
export function rulesLine(view) {
  const row = chosenRow(view.game);
  const isOwn = Object.keys(row?.options ?? {}).length;
  const changed = isOwn ? 0 : Object.keys(view.game.options).length;
  return h(
    "span",
    h("b", row ? say(row.title) : t("lobby-rules")),
    h("small", row ? say(row.line) : ""),
    changed > 0 && h("small", t("lobby-changed", { n: changed })),
  );
}
