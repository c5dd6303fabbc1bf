// Phones that want to be cameras: the host lets one in by one tap, and sees which are in.

import { get, post } from "../core/api.js";
import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { granted } from "./frame.js";

/** @import { PhoneRow, Phones } from "#types" */

const LOOK_AGAIN_MS = 2_500;

/**
 * Follow the phones for as long as the page is open.
 *
 * @param {HTMLElement} asks where phones are shown that ask
 * @param {HTMLElement} list where all are shown, with the code that opens their page
 */
export async function followPhones(asks, list) {
  /** @type {Phones | null} */
  let known = null;
  const show = (/** @type {Phones} */ phones) => {
    known = phones;
    drawAsks([language(), phones.phones], phones);
    drawList([language(), phones], phones);
  };
  const choose = async (
    /** @type {"phones/let-in" | "phones/send-away"} */ path,
    /** @type {number} */ number,
  ) => {
    const answer = await post(path, { number });
    if (granted(answer)) show(answer.data);
  };
  const drawAsks = drawer(asks, (/** @type {Phones} */ { phones }) =>
    phones.filter(({ source }) => source === null).map((phone) => asking(phone, choose)),
  );
  const drawList = drawer(list, (/** @type {Phones} */ phones) => listed(phones, choose));
  const look = async () => {
    if (document.visibilityState === "visible") {
      const answer = await get("phones");
      if (answer.ok) show(answer.data);
      // Where no phone can be a camera none will ask.
      if (answer.status === 403 || (answer.ok && !answer.data.places)) return;
    }
    setTimeout(look, LOOK_AGAIN_MS);
  };
  onLanguage(() => known && show(known));
  await look();
}

/**
 * @param {PhoneRow} phone
 * @param {(path: "phones/let-in" | "phones/send-away", number: number) => void} choose
 */
function asking({ number, kind }, choose) {
  const letIn = () => choose("phones/let-in", number);
  const refuse = () => choose("phones/send-away", number);
  return h(
    "section",
    { class: "panel phone-ask", role: "status" },
    h("p", {}, t("phones.asks", { kind: t(`phones.kind.${kind}`) })),
    h(
      "button",
      { type: "button", class: "main", testid: "camera-let-in", onclick: letIn },
      t("phones.let-in"),
    ),
    h("button", { type: "button", class: "wide", testid: "camera-refuse", onclick: refuse }, t("phones.no")),
  );
}

/**
 * @param {Phones} phones
 * @param {(path: "phones/let-in" | "phones/send-away", number: number) => void} choose
 */
function listed({ url, code, places, phones }, choose) {
  const title = h("h3", {}, t("phones.title"));
  if (!places) return [title, h("p", { class: "hint-line" }, t("phones.no-place"))];
  if (!url || !code) return [title, h("p", { class: "hint-line" }, t("phones.no-https"))];
  const rows = phones
    .filter(({ source }) => source !== null)
    .map(({ number, kind, source, here }) => {
      const values = { kind: t(`phones.kind.${kind}`), source: source ?? "" };
      const onclick = () => choose("phones/send-away", number);
      const attributes = { type: "button", class: "quiet", testid: `camera-send-away-${number}`, onclick };
      return h(
        "li",
        {},
        h("span", {}, t(here ? "phones.is-in" : "phones.away", values)),
        h("button", attributes, t("phones.send-away")),
      );
    });
  return [
    title,
    h("p", {}, t("phones.how")),
    h("img", { class: "phone-code", src: code, alt: "", testid: "camera-code" }),
    h("p", { class: "refs" }, h("a", { href: url, testid: "camera-url" }, url)),
    rows.length ? h("ul", { class: "seats" }, rows) : h("p", { class: "hint-line" }, t("phones.none")),
  ];
}
