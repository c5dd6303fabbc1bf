// The free seats, each with a button that invites somebody far away; a name given before stands at the seat meanwhile.

import { pawnIcon } from "../board/shapes.js";
import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { colorName } from "../panels/seats.js";

/** @import { SeatInfo, SeatName, SeatStyles } from "#types" */

/**
 * @param {SeatInfo[]} free
 * @param {SeatStyles} styles
 * @param {boolean} isAsking
 * @param {(seat: SeatName, name: string) => void} invite
 */
export function freeSeats(free, styles, isAsking, invite) {
  /** @type {HTMLInputElement} */
  const name = h("input", { testid: "far-for", maxlength: "24", autocomplete: "off", class: "far-address" });
  const ask = (/** @type {SeatName} */ seat) => {
    // A field that has the keyboard is not drawn again.
    name.blur();
    invite(seat, name.value.trim());
  };
  const one = (/** @type {SeatName} */ seat) => {
    return button("quiet", "far-invite", t("far-host.invite"), () => ask(seat), { disabled: isAsking });
  };
  return [
    h("label", {}, t("far-host.for"), name),
    h(
      "ul",
      { class: "seats" },
      free.map(({ seat }) =>
        h(
          "li",
          { "data-seat": seat },
          pawnIcon(styles.get(seat)),
          h("span", {}, colorName(seat, styles)),
          one(seat),
        ),
      ),
    ),
  ];
}
