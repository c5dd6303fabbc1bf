// Where the cards of somebody far away come from: the companion draws them, or somebody at home photographs them.

import { h } from "../core/dom.js";
import { t } from "../core/words.js";

/** @import { FarRow } from "#types" */

/**
 * @param {FarRow} row
 * @param {(cards: FarRow["cards"]) => void} choose
 */
export function cardsParts({ cards }, choose) {
  const onchange = () => choose(select.selectedIndex ? "real" : "drawn");
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { testid: "far-cards", "aria-label": t("far-host.cards"), onchange },
    ["drawn", "real"].map((one) =>
      h(
        "option",
        { value: one, selected: one === cards },
        t(one === "real" ? "far-host.real" : "far-host.are-drawn"),
      ),
    ),
  );
  const isReal = cards === "real";
  return [
    h("label", {}, t("far-host.cards"), " ", select),
    h("p", { class: "hint-line" }, t(isReal ? "far-host.real-what" : "far-host.drawn")),
  ];
}
