// A person at the seat where this phone entered its cards asks to see them.

import { pawnIcon } from "../board/shapes.js";
import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { granted } from "./frame.js";
import { colorName } from "./seats.js";

/** @import { CardsRequest, SeatStyles, View } from "#types" */

/**
 * Decide whether the present player may see the cards entered here; asked again whenever somebody sits down.
 *
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {CardsRequest[]} first those of when the page was opened
 */
export function cardsRequestsPanel(root, styles, first) {
  let requests = first;
  let people = "";
  const answer = async (/** @type {number} */ number, /** @type {boolean} */ yes) => {
    granted(await post("join/show", { number, yes }));
    await refresh();
  };
  const section = (/** @type {CardsRequest} */ { number, seat, name }) => {
    const one = (/** @type {boolean} */ yes) =>
      button(
        yes ? "wide" : "main",
        yes ? "cards-yes" : "cards-no",
        t(yes ? "cards-request-yes" : "cards-request-no"),
        () => answer(number, yes),
      );
    const sentence = t("cards-request", { name, color: colorName(seat, styles) });
    return h(
      "section",
      { class: "question", testid: "cards-request", role: "alert" },
      h("h2", { class: "with-icon" }, pawnIcon(styles.get(seat)), h("span", {}, sentence)),
      h("div", { class: "choices" }, one(false), one(true)),
    );
  };
  const draw = drawer(root, () => requests.map(section));
  const show = () => draw([language(), requests]);
  const refresh = async () => {
    const session = await get("session");
    if (!session.ok) return;
    requests = session.data.cards_requests;
    show();
  };
  return (/** @type {View} */ view) => {
    const now = JSON.stringify(view.seats.map(({ name, taken }) => [name, taken]));
    if (people && people !== now) refresh();
    people = now;
    show();
  };
}
