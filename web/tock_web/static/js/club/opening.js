// The form that announces a tournament.

import { choice, h } from "../core/dom.js";
import { say, t, tNamed } from "../core/words.js";
import { labelled } from "./asking.js";

/** @import { DirectorView } from "#types" */
/** @import { Acts } from "./director_panels.js" */

const FORMS = ["singles", "fixed-pairs", "drawn-pairs"];
const SYSTEMS = ["swiss", "round-robin", "groups"];

/**
 * @param {string | null} running the tournament that would be left
 * @param {DirectorView} desk
 * @param {Acts} acts
 */
export function openPanel(running, desk, acts) {
  const name = h("input", { type: "text", maxlength: 60, required: true });
  const form = choice({}, FORMS, undefined, (one) => tNamed("club.form.", one));
  const system = choice({}, SYSTEMS, undefined, (one) => tNamed("club.system.", one));
  const groups = h("input", { type: "number", min: 2, max: 64, value: 8, required: true });
  const inGroups = labelled("open-group", t("club.open-group"), groups);
  const onlyInGroups = () => {
    inGroups.hidden = system.value !== "groups";
  };
  system.addEventListener("change", onlyInGroups);
  onlyInGroups();
  const rules = h(
    "select",
    desk.rulesets.map(({ name: value, title }) => h("option", { value }, say(title))),
  );
  // Partners where the rules have them, until the director says otherwise.
  const usual = () => {
    const isTeams = desk.rulesets.find(({ name: value }) => value === rules.value)?.teams;
    form.value = isTeams ? "drawn-pairs" : "singles";
  };
  rules.addEventListener("change", usual);
  form.addEventListener("change", () => rules.removeEventListener("change", usual));
  usual();
  const seats = h("input", { type: "number", min: 2, max: 8, value: 4, required: true });
  const rounds = h("input", { type: "number", min: 1, max: 30, value: 5, required: true });
  const minutes = h("input", { type: "number", min: 1, max: 600 });
  const entered = () => ({
    name: name.value.trim(),
    form: form.value,
    system: system.value,
    seats: Number(seats.value),
    rounds: Number(rounds.value),
    minutes: minutes.value ? Number(minutes.value) : null,
    group_entrants: Number(groups.value),
    ruleset: rules.value,
  });
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    acts.end("open", entered(), t("club.open-go"), running && t("club.ask-open", { name: running }));
  };
  const fields = h(
    "form",
    { class: running ? null : "panel", onsubmit: send },
    running ? null : h("h2", t("club.open")),
    labelled("open-name", t("club.open-name"), name),
    labelled("open-form", t("club.open-form"), form),
    labelled("open-system", t("club.open-system"), system),
    inGroups,
    labelled("open-rules", t("ruleset"), rules),
    labelled("open-seats", t("club.open-seats"), seats),
    labelled("open-rounds", t("club.open-rounds"), rounds),
    labelled("open-minutes", t("club.open-minutes"), minutes),
    h("button.main", { type: "submit", testid: "open-go" }, t("club.open-go")),
  );
  if (!running) return fields;
  return h("details.panel", { testid: "open-fold" }, h("summary", t("club.open")), fields);
}
