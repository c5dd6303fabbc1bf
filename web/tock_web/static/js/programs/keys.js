// Keys for programs: the host makes them with a scope and an end, sees each once, and takes it away in one tap.

import { get, post } from "../core/api.js";
import { bootstrap } from "../core/bootstrap.js";
import { button, choice, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { onLanguage, t } from "../core/words.js";
import { granted, toast } from "../panels/frame.js";
import { proofField } from "../panels/proof.js";

/** @import { KeyRow, MadeKey } from "#types" */

/** @type {KeyRow["scope"][]} */
const SCOPES = ["read", "seat", "host"];
const DAYS = /** @type {const} */ ([1, 30, 365]);

/** @param {HTMLElement} root @param {HTMLElement} opener of the sheet */
export function keysPanel(root, opener) {
  /** @type {KeyRow[]} */
  let keys = [];
  /** @type {MadeKey | null} */
  let made = null;
  const look = async () => {
    const answer = await get("programs");
    if (answer.ok) keys = answer.data.keys;
    draw();
  };
  const make = async (/** @type {object} */ asked) => {
    const answer = await post("programs", asked);
    if (!granted(answer)) return;
    made = answer.data;
    await look();
  };
  const end = async (/** @type {KeyRow} */ { number, name }) => {
    const answer = await endOnceSure("programs/end", { number }, t("programs.end"), h("b", name));
    if (!granted(answer)) return;
    toast(t("done"), "good");
    if (made?.number === number) made = null;
    await look();
  };
  const list = h("div");
  const draw = () => {
    list.replaceChildren(
      ...(made ? secretOf(made) : []),
      h(
        "ul.history",
        keys.map((key) => row(key, end)),
      ),
    );
  };
  const drawAll = () => {
    draw();
    root.replaceChildren(h("p.hint-line", t("programs.what")), list, form(make));
  };
  opener.addEventListener("click", () => {
    made = null;
    void look();
  });
  onLanguage(drawAll);
  drawAll();
}

/** What a new key is for. @param {(asked: object) => unknown} make */
function form(make) {
  const name = h("input", {
    type: "text",
    id: "program-name",
    testid: "program-name",
    maxlength: 40,
    required: true,
  });
  const scope = choice({ id: "program-scope", testid: "program-scope" }, SCOPES, "read", (one) =>
    t(`programs.scope-${one}`),
  );
  const days = choice({ id: "program-days", testid: "program-days" }, DAYS, 365, (one) =>
    t(`programs.days-${one}`),
  );
  const { box, input: proof } = proofField(bootstrap.session, "program-proof");
  const proved = h("div", { hidden: true }, box);
  scope.addEventListener("change", () => (proved.hidden = SCOPES[scope.selectedIndex] !== "host"));
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    make({
      name: name.value.trim(),
      scope: SCOPES[scope.selectedIndex],
      days: DAYS[days.selectedIndex],
      proof: proof.value,
    });
    name.value = proof.value = "";
  };
  return h(
    "form",
    { onsubmit, autocomplete: "off" },
    h("label", { for: name.id }, t("programs.name")),
    name,
    h("label", { for: scope.id }, t("programs.scope")),
    scope,
    h("label", { for: days.id }, t("programs.days")),
    days,
    proved,
    h("button.main", { testid: "program-make" }, t("programs.make")),
  );
}

/** The secret of a new key, to be copied. @param {MadeKey} made */
function secretOf({ name, key }) {
  const value = h("input", {
    type: "text",
    id: "program-key",
    testid: "program-key",
    readonly: true,
    value: key,
  });
  value.addEventListener("focus", () => value.select());
  return [h("label", { for: value.id }, t("programs.once", { name })), value];
}

/** @param {KeyRow} key @param {(key: KeyRow) => unknown} end */
function row(key, end) {
  const until = new Date(key.ends_at).toLocaleDateString(document.documentElement.lang);
  const says = [t(`programs.is-${key.scope}`), t("programs.until", { until }), key.seat ?? ""];
  return h(
    "li",
    { testid: `program-${key.number}` },
    h("p", h("b", key.name), h("br"), says.filter(Boolean).join(" · ")),
    button("quiet", `program-end-${key.number}`, t("programs.end"), () => end(key)),
  );
}
