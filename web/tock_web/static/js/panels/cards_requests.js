// A person at the seat where this phone entered its cards asks to see them.

import { get, post } from "../core/api.js";
import { button } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { granted } from "./frame.js";
import { colorName, seatQuestion } from "./seats.js";

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
      yes
        ? button("wide", "cards-yes", t("cards-request-yes"), () => answer(number, true))
        : button("main", "cards-no", t("cards-request-no"), () => answer(number, false));
    const sentence = t("cards-request", { name, color: colorName(seat, styles) });
    return seatQuestion("cards-request", seat, styles, sentence, [one(false), one(true)]);
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
