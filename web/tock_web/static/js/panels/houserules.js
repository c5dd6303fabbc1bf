// House rules in plain words: every switch of the game, as the ruleset has it until the host changes it.

import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { onLanguage, say } from "../core/words.js";

/** Fill a folded box; `chosen()` returns what differs from the ruleset, `use(ruleset)` begins anew with another. */
export function houseRules(box, list) {
  let options = [];
  let ruleset = null;
  const changed = new Map();

  async function fill() {
    if (!box.open || !ruleset) return;
    const answer = await get(`options?ruleset=${ruleset}`);
    options = answer.ok ? answer.data.options : [];
    draw();
  }

  function draw() {
    list.replaceChildren(...options.map(row));
  }

  function set(option, value) {
    if (value === option.usual) changed.delete(option.name);
    else changed.set(option.name, value);
  }

  function row(option) {
    const now = changed.has(option.name) ? changed.get(option.name) : option.usual;
    const control =
      option.kind === "yes/no"
        ? h("input", {
            type: "checkbox",
            checked: now,
            onchange: (event) => set(option, event.target.checked),
          })
        : h(
            "select",
            { onchange: (event) => set(option, option.allowed[event.target.selectedIndex]) },
            option.allowed.map((value) => h("option", { selected: value === now }, String(value))),
          );
    return h(
      "label",
      { class: "house-rule", testid: `option-${option.name}` },
      control,
      h("span", {}, say(option.text)),
    );
  }

  box.addEventListener("toggle", fill);
  onLanguage(draw);
  return {
    chosen: () => Object.fromEntries(changed),
    use(next) {
      if (next === ruleset) return;
      ruleset = next;
      changed.clear();
      fill();
    },
  };
}
