// The machine behind the table, for the host: its state, its faults, and the settings.

import { get, post } from "../core/api.js";
import { bootstrap, part, partOf } from "../core/bootstrap.js";
import { choice, h } from "../core/dom.js";
import { endOnceSure, mayEnd } from "../core/ending.js";
import { valueStore } from "../core/store.js";
import { onLanguage, say, t } from "../core/words.js";
import { bar, granted, toast } from "../panels/frame.js";
import { proofField } from "../panels/proof.js";
import { showUpdate } from "../panels/update.js";
import { showWifi } from "../panels/wifi.js";

/** @import { FindingRow, SettingRow, Settings, Word } from "#types" */
/** @typedef {{ findings: FindingRow[] | null, settings: Settings | null }} MachineState */

const BACK_AFTER_MS = 4_000;
const UNPROVEN = 403;
/** In the order in which they are listed: faults first. */
const LEVELS = /** @type {const} */ (["fault", "warning", "ok"]);
/** @type {Record<number, Word>} */
const REFUSALS = { 403: "machine.nobody", 404: "machine.here" };

const showState = bar();
const store = valueStore(/** @type {MachineState} */ ({ findings: null, settings: null }), draw);
const wholeText = partOf(HTMLTextAreaElement, "whole-text");
const { box, input: proof } = proofField(bootstrap.session, "settings-proof-field");
part("settings-proof").append(...box);

async function examine() {
  const answer = await get("machine/doctor");
  showState(answer.status === 0 ? "lost" : "live");
  const refusal = REFUSALS[answer.status];
  part("machine-note").hidden = !refusal;
  part("machine-note").textContent = refusal ? t(refusal) : "";
  part("machine-parts").hidden = !answer.ok;
  if (answer.ok) store.dispatch({ findings: answer.data.findings });
}

async function load() {
  const answer = await get("machine/settings");
  if (answer.ok) store.dispatch({ settings: answer.data });
}

/**
 * @param {MachineState} state
 * @param {MachineState} [before] nothing of it is drawn again; without it, everything is
 */
function draw({ findings, settings }, before) {
  if (findings && findings !== before?.findings) part("findings").replaceChildren(...findingRows(findings));
  if (!settings || settings === before?.settings) return;
  part("settings").replaceChildren(...settings.keys.map(settingForm));
  part("whole-name").textContent = settings.file;
  wholeText.value = settings.text;
  part("restart").hidden = !settings.restarts;
}

/** @param {FindingRow[]} findings */
function findingRows(findings) {
  const rows = [...findings].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return rows.map((finding) => {
    const remedy = say(finding.do);
    return h(
      "li",
      { class: finding.level, "data-code": finding.code },
      h("span.level", t(`machine.level.${finding.level}`)),
      " ",
      say(finding.found),
      remedy && h("p.remedy", "→ ", remedy),
    );
  });
}

/** One key with its sentence; an empty field means the usual value. @param {SettingRow} key */
function settingForm(key) {
  const id = `key-${key.name}`;
  const field = key.kind === "bool" ? yesOrNo(key, id) : input(key, id);
  const form = h(
    "form",
    { autocomplete: "off" },
    h("label", { for: id }, h("b", key.name), " ", say(key.about)),
    h("div.row", field, h("button.save", { type: "submit" }, t("save"))),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (key.ends && !(await mayEnd(t("machine.ends-ask"), t("save")))) return;
    await save({ name: key.name, value: valueOf(key, field.value) });
  });
  return form;
}

/** @type {(key: SettingRow, id: string) => HTMLInputElement} */
function input(key, id) {
  const usual = Array.isArray(key.default) ? key.default.join(", ") : String(key.default);
  const value = key.value === null ? "" : [key.value].flat().join(", ");
  const placeholder = usual ? t("machine.default", { value: usual }) : null;
  const inputmode = key.kind === "int" ? "numeric" : null;
  return h("input", { id, testid: id, type: "text", inputmode, value, placeholder });
}

/** @type {(key: SettingRow, id: string) => HTMLSelectElement} */
function yesOrNo(key, id) {
  const now = Boolean(key.value ?? key.default);
  return choice({ id, testid: id }, [true, false], now, (is) => t(is ? "machine.yes" : "machine.no"));
}

/** @type {(key: SettingRow, text: string) => string | number | boolean | string[] | null} */
function valueOf(key, text) {
  const plain = text.trim();
  if (plain === "") return null;
  if (key.kind === "bool") return plain === "true";
  if (key.kind === "list") return plain.split(",").map((item) => item.trim());
  // Anything but a number goes to the companion as it is, which explains the mistake.
  if (key.kind === "int" && /^-?\d+$/.test(plain)) return Number(plain);
  return plain;
}

/** @param {object} change */
async function save(change) {
  const answer = await post("machine/settings", { ...change, proof: proof.value });
  if (!granted(answer)) {
    if (answer.status === UNPROVEN) proof.select();
    return;
  }
  toast(t("machine.saved"), "good");
  await load();
}

part("whole-form").addEventListener("submit", (event) => {
  event.preventDefault();
  save({ text: wholeText.value });
});
part("look-again").addEventListener("click", examine);
part("restart").addEventListener("click", async () => {
  if (!granted(await endOnceSure("machine/restart", {}, part("restart").textContent))) return;
  toast(t("machine.restarting"), "good");
  setTimeout(() => location.reload(), BACK_AFTER_MS);
});
onLanguage(() => draw(store.state));
await examine();
await Promise.all([load(), showWifi(), showUpdate()]);
