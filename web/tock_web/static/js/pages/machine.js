// The machine behind the table, for the host: what is well and what is not, and the settings.

import { get, post } from "../core/api.js";
import { h } from "../core/dom.js";
import { part } from "../core/start.js";
import { onLanguage, say, t } from "../core/words.js";
import { bar } from "../panels/bar.js";
import { granted, toast } from "../panels/toast.js";

const BACK_AFTER_MS = 4_000;

const showState = bar();
let found = null;
let settings = null;

async function look() {
  const answer = await get("machine/doctor");
  showState(answer.status === 0 ? "lost" : "live");
  const refused = { 403: "machine.nobody", 404: "machine.here" }[answer.status];
  part("machine-note").hidden = !refused;
  part("machine-note").textContent = refused ? t(refused) : "";
  part("machine-parts").hidden = !answer.ok;
  if (answer.ok) found = answer.data.findings;
  drawFindings();
}

function drawFindings() {
  if (!found) return;
  // What needs somebody's hand comes first.
  const order = ["fault", "warning", "ok"];
  const rows = [...found].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  part("findings").replaceChildren(
    ...rows.map((finding) =>
      h(
        "li",
        { class: finding.level, "data-code": finding.code },
        h("span", { class: "level" }, t(`machine.level.${finding.level}`)),
        " ",
        say(finding.found),
        say(finding.do) && h("p", { class: "remedy" }, "→ ", say(finding.do)),
      ),
    ),
  );
}

async function load() {
  const answer = await get("machine/settings");
  if (!answer.ok) return;
  settings = answer.data;
  drawSettings();
}

function drawSettings() {
  if (!settings) return;
  part("settings").replaceChildren(...settings.keys.map(settingForm));
  part("whole-name").textContent = settings.file;
  part("whole-text").value = settings.text;
  part("restart").hidden = !settings.restarts;
}

/** One key with its sentence; an empty field means the usual value. */
function settingForm(key) {
  const id = `key-${key.name}`;
  const usual = key.kind === "list" ? key.default.join(", ") : String(key.default);
  const field = key.kind === "bool" ? choice(key, id) : input(key, id, usual);
  const form = h(
    "form",
    { autocomplete: "off" },
    h("label", { for: id }, h("b", {}, key.name), " ", say(key.about)),
    h("div", { class: "row" }, field, h("button", { type: "submit", class: "save" }, t("save"))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save({ name: key.name, value: valueOf(key, field.value) });
  });
  return form;
}

function input(key, id, usual) {
  const value = key.value === null ? "" : [key.value].flat().join(", ");
  const placeholder = usual ? t("machine.default", { value: usual }) : null;
  return h("input", {
    id,
    testid: id,
    type: "text",
    inputmode: key.kind === "int" ? "numeric" : null,
    value,
    placeholder,
  });
}

function choice(key, id) {
  const now = String(key.value ?? key.default);
  return h(
    "select",
    { id, testid: id },
    ["true", "false"].map((value) =>
      h("option", { value, selected: value === now }, t(value === "true" ? "machine.yes" : "machine.no")),
    ),
  );
}

function valueOf(key, text) {
  const plain = text.trim();
  if (plain === "") return null;
  if (key.kind === "bool") return plain === "true";
  if (key.kind === "list") return plain.split(",").map((item) => item.trim());
  // What is no number goes to the companion as it is: it names the fault.
  if (key.kind === "int" && /^-?\d+$/.test(plain)) return Number(plain);
  return plain;
}

async function save(change) {
  if (!granted(await post("machine/settings", change))) return;
  toast(t("machine.saved"), "good");
  await load();
}

part("whole-form").addEventListener("submit", (event) => {
  event.preventDefault();
  save({ text: part("whole-text").value });
});
part("look-again").addEventListener("click", look);
part("restart").addEventListener("click", async () => {
  if (!granted(await post("machine/restart"))) return;
  toast(t("machine.restarting"), "good");
  setTimeout(() => location.reload(), BACK_AFTER_MS);
});
onLanguage(() => {
  drawFindings();
  drawSettings();
});
await look();
await load();
