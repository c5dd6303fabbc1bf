// Requests for a taken seat: the holder or the host grants or refuses them.

import { button } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { colorName, seatQuestion } from "./seats.js";

/** @import { HostView, SeatStyles, SeatName, SeatRequest, SeatView } from "#types" */

/**
 * Requests for taken seats, which the holder or the host grants or refuses.
 *
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {(number: number, yes: boolean) => void} answer
 */
export function seatRequestsPanel(root, styles, answer) {
  /** @type {(request: SeatRequest, ownSeat: SeatName | null) => HTMLElement} */
  const section = ({ number, seat, name }, ownSeat) => {
    const mine = ownSeat === seat;
    const values = { name, color: colorName(seat, styles) };
    const sentence = t(mine ? "seat-request-mine" : "seat-request-other", values);
    const yes = t(mine ? "seat-request-yes" : "seat-request-yes-host");
    return seatQuestion("seat-wish", seat, styles, sentence, [
      button("main", "seat-no", t("seat-request-no"), () => answer(number, false)),
      button("wide", "seat-yes", yes, () => answer(number, true)),
    ]);
  };
  const draw = drawer(root, (/** @type {SeatRequest[]} */ requests, /** @type {SeatName | null} */ seat) =>
    requests.map((request) => section(request, seat)),
  );
  return (/** @type {SeatView | HostView} */ view) => {
    const seat = view.role === "seat" ? view.seat : null;
    draw([language(), view.wishes, seat], view.wishes ?? [], seat);
  };
}
