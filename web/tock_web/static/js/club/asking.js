// Questions before what cannot be taken back.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";

/**
 * Put a question and its two answers in the place of a button. The question comes first: whoever taps the button
 * twice hits nothing.
 * @type {(place: HTMLElement, question: string, testid: string, act: () => void) => void}
 */
export function askIn(place, question, testid, act) {
  const before = [...place.childNodes];
  const back = () => place.replaceChildren(...before);

  place.replaceChildren(
    h("p", { role: "status" }, question),
    h(
      "div",
      { class: "setting-rows" },
      button("main", `${testid}-no`, t("club.no"), back),
      button("wide", `${testid}-yes`, t("club.yes"), () => {
        back();
        act();
      }),
    ),
  );
}

/**
 * A button that asks first.
 *
 * @param {string} testid
 * @param {string} label
 * @param {string} question
 * @param {() => void} act
 * @param {boolean} [disabled]
 */
export function askedButton(testid, label, question, act, disabled = false) {
  const place = h("div", {});
  const ask = () => askIn(place, question, testid, act);
  place.append(button("wide", testid, label, ask, { disabled }));
  return place;
}
