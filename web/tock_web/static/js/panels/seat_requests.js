// Requests for a taken seat: the holder or the host grants or refuses them.

import { pawnIcon } from "../board/shapes.js";
import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { colorName } from "./seats.js";

/** @import { HostView, SeatStyles, SeatName, SeatRequest, SeatView, Word } from "#types" */

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
    const style = styles.get(seat);
    const sentence = t(mine ? "seat-request-mine" : "seat-request-other", {
      name,
      color: colorName(seat, styles),
    });
    const one = (/** @type {boolean} */ yes, /** @type {Word} */ word) => {
      const [className, testid] = yes ? ["wide", "seat-yes"] : ["main", "seat-no"];
      return button(className, testid, t(word), () => answer(number, yes));
    };
    return h(
      "section",
      { class: "question", testid: "seat-wish", role: "alert" },
      h("h2", { class: "with-icon" }, pawnIcon(style), h("span", {}, sentence)),
      h(
        "div",
        { class: "choices" },
        one(false, "seat-request-no"),
        one(true, mine ? "seat-request-yes" : "seat-request-yes-host"),
      ),
    );
  };
  const draw = drawer(root, (/** @type {SeatRequest[]} */ requests, /** @type {SeatName | null} */ seat) =>
    requests.map((request) => section(request, seat)),
  );
  return (/** @type {SeatView | HostView} */ view) => {
    const seat = view.role === "seat" ? view.seat : null;
    draw([language(), view.wishes, seat], view.wishes ?? [], seat);
  };
}
