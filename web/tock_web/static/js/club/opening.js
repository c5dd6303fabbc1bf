// The form that announces a tournament.

import { h } from "../core/dom.js";
import { say, t, tNamed } from "../core/words.js";
import { askIn } from "./asking.js";
import { labelled } from "./fields.js";

/** @import { DirectorView } from "#types" */
/** @import { Acts } from "./director_panels.js" */

const FORMS = ["singles", "fixed-pairs", "drawn-pairs"];
const SYSTEMS = ["swiss", "round-robin", "groups"];

/** @type {(names: string[], family: "club.form." | "club.system.") => HTMLSelectElement} */
function choice(names, family) {
  return h(
    "select",
    {},
    names.map((value) => h("option", { value }, tNamed(family, value))),
  );
}

/**
 * @param {string | null} running the tournament that would be left
 * @param {DirectorView} desk
 * @param {Acts} acts
 */
export function openPanel(running, desk, acts) {
  const name = h("input", { type: "text", maxlength: 60, required: true });
  const form = choice(FORMS, "club.form.");
  const system = choice(SYSTEMS, "club.system.");
  const groups = h("input", { type: "number", min: 2, max: 64, value: 8, required: true });
  const inGroups = labelled("open-group", t("club.open-group"), groups);
  const onlyInGroups = () => {
    inGroups.hidden = system.value !== "groups";
  };
  system.addEventListener("change", onlyInGroups);
  onlyInGroups();
  const rules = h(
    "select",
    {},
    desk.rulesets.map(({ name: value, title }) => h("option", { value }, say(title))),
  );
  const seats = h("input", { type: "number", min: 2, max: 8, value: 4, required: true });
  const rounds = h("input", { type: "number", min: 1, max: 30, value: 5, required: true });
  const minutes = h("input", { type: "number", min: 1, max: 600 });
  const announce = () =>
    acts.open({
      name: name.value.trim(),
      form: form.value,
      system: system.value,
      seats: Number(seats.value),
      rounds: Number(rounds.value),
      minutes: minutes.value ? Number(minutes.value) : null,
      group_entrants: Number(groups.value),
      ruleset: rules.value,
    });
  const last = h(
    "div",
    {},
    h("button", { type: "submit", class: "main", testid: "open-go" }, t("club.open-go")),
  );
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (running) askIn(last, t("club.ask-open", { name: running }), "open-go", announce);
    else announce();
  };
  const fields = h(
    "form",
    { class: running ? null : "panel", onsubmit: send },
    running ? null : h("h2", {}, t("club.open")),
    labelled("open-name", t("club.open-name"), name),
    labelled("open-form", t("club.open-form"), form),
    labelled("open-system", t("club.open-system"), system),
    inGroups,
    labelled("open-rules", t("ruleset"), rules),
    labelled("open-seats", t("club.open-seats"), seats),
    labelled("open-rounds", t("club.open-rounds"), rounds),
    labelled("open-minutes", t("club.open-minutes"), minutes),
    last,
  );
  if (!running) return fields;
  return h("details", { class: "panel", testid: "open-fold" }, h("summary", {}, t("club.open")), fields);
}
