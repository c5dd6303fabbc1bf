// House rules in plain words, preset by a ruleset.

import { get } from "../core/api.js";
import { choice, h } from "../core/dom.js";
import { onLanguage, say, t } from "../core/words.js";

/** @import { OptionRow, OptionValue } from "#types" */

/**
 * All house rules in plain words, preset by the ruleset.
 * `chosen()` returns the differences from the ruleset, `use(ruleset)` starts over with another.
 *
 * @param {HTMLDetailsElement} box
 * @param {HTMLElement} list
 * @param {(options: Record<string, OptionValue>) => void} [changedTo] told after each change
 */
export function houseRules(box, list, changedTo = () => {}) {
  /** @type {OptionRow[]} */
  let options = [];
  let ruleset = "";
  /** @type {Map<string, OptionValue>} */
  const changed = new Map();

  function draw() {
    // What differs from the usual rules is read first.
    const report = () => changedTo(Object.fromEntries(changed));
    const rows = (/** @type {(option: OptionRow) => boolean} */ wanted) =>
      options.filter(wanted).map((option) => houseRule(option, changed, report));
    const others = h(
      "details",
      { testid: "options-others" },
      h("summary", t("house-rules-others")),
      rows(({ name, differs }) => !differs && !changed.has(name)),
    );
    list.replaceChildren(...rows(({ name, differs }) => differs || changed.has(name)), others);
  }

  async function fill() {
    if (!box.open || !ruleset) return;
    const answer = await get("options", { ruleset });
    options = answer.ok ? answer.data.options : [];
    draw();
  }

  box.addEventListener("toggle", fill);
  onLanguage(draw);
  return {
    chosen: () => Object.fromEntries(changed),
    /** @param {string} next @param {Record<string, unknown>} [now] the present changes */
    use(next, now = {}) {
      if (next === ruleset) return;
      ruleset = next;
      changed.clear();
      for (const [name, value] of Object.entries(now)) changed.set(name, /** @type {OptionValue} */ (value));
      fill();
    },
  };
}

/** @type {(option: OptionRow, changed: Map<string, OptionValue>, report: () => void) => HTMLLabelElement} */
function houseRule(option, changed, report) {
  const { allowed, labels } = option;
  const now = changed.has(option.name) ? changed.get(option.name) : option.usual;
  const set = (/** @type {OptionValue} */ value) => {
    if (value === option.usual) changed.delete(option.name);
    else changed.set(option.name, value);
    report();
  };
  const control =
    option.kind === "yes/no"
      ? checkbox(now === true, set)
      : choice({}, allowed, now, (_, index) => say(labels[index]), set);
  const words = h("span", say(option.text));
  return h("label.house-rule", { testid: `option-${option.name}` }, control, words);
}

/** @type {(checked: boolean, set: (value: boolean) => void) => HTMLInputElement} */
function checkbox(checked, set) {
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", checked, onchange: () => set(box.checked) });
  return box;
}
