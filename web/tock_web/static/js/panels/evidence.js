// What speaks for a move that somebody disputes: the holes before and after it, how sure the referee was, the rule.

import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { say, t } from "../core/words.js";
import { rulesAbout } from "./rules.js";
import { granted } from "./toast.js";

/** Return a button that tells the evidence of an event below itself; `game` is the one of the view. */
export function evidenceOf(seq, game) {
  const box = h("div", { class: "evidence", "aria-live": "polite" });
  const show = async () => {
    if (box.hasChildNodes()) {
      box.replaceChildren();
      return;
    }
    const answer = await get(`evidence?seq=${seq}`);
    if (granted(answer)) box.replaceChildren(...(await told(answer.data, game)));
  };
  return [
    h("button", { type: "button", class: "quiet", testid: "evidence", onclick: show }, t("evidence")),
    box,
  ];
}

async function told({ seq, probability, rule, pictures, places }, game) {
  const rules = await rulesAbout(game, rule.slice(0, 1));
  const picture = (name) =>
    pictures.includes(name) &&
    h("img", {
      src: `/api/v1/evidence/picture?seq=${seq}&name=${encodeURIComponent(name)}`,
      alt: t(`evidence-${name.split("/")[0]}`),
      width: 72,
      height: 72,
    });
  const pair = (hole) =>
    h(
      "figure",
      { testid: "evidence-hole", "data-hole": hole },
      picture(`before/${hole}`),
      h("span", { "aria-hidden": "true" }, "→"),
      picture(`after/${hole}`),
      h("figcaption", {}, say(places[hole])),
    );
  return [
    probability && h("p", {}, t("journal-sure", { n: percent(probability) })),
    ...rules.map((line) => h("p", { class: "hint-line" }, say(line))),
    ...Object.keys(places).map(pair),
    pictures.includes("card") && h("figure", {}, picture("card"), h("figcaption", {}, t("evidence-card"))),
    !pictures.length && h("p", {}, t("evidence-none")),
  ].filter(Boolean);
}

/** Nothing is ever quite certain. */
function percent(probability) {
  return Math.min(99.9, Math.floor(1000 * probability) / 10).toLocaleString(document.documentElement.lang);
}
