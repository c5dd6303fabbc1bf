// Partners before a game: the host touches one name and then another.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { partnersOf } from "../state/me.js";

/** @import { Children, SeatName, View } from "#types" */

export class Pairing {
  /** @param {(first: SeatName, second: SeatName) => unknown} pair */
  constructor(pair) {
    this.pair = pair;
    /** @type {SeatName | null} */
    this.first = null;
    /** Called when something else is to be drawn. */
    this.changed = () => {};
  }

  /** Whether there are partners to choose: teams, and people for them. @param {View} view */
  isOpen(view) {
    const people = view.seats.filter(({ taken }) => taken);
    return people.length > 1 && partnersOf(view, people[0].seat).length > 0;
  }

  /** A name of the list as a button. @type {(seat: SeatName, name: Children) => HTMLButtonElement} */
  button(seat, name) {
    const pressed = String(seat === this.first);
    return button("lobby-name", `pair-${seat}`, name, () => this.touched(seat), { "aria-pressed": pressed });
  }

  /** @param {SeatName} seat */
  touched(seat) {
    const { first } = this;
    this.first = first === null ? seat : null;
    this.changed();
    if (first !== null && first !== seat) this.pair(first, seat);
  }

  /** The sentence that says which name to touch next. @param {View} view */
  line(view) {
    const name = view.seats.find(({ seat }) => seat === this.first)?.name;
    const words = name ? t("lobby-pair-second", { name }) : t("lobby-pair-first");
    return h("p.lobby-pairs", { role: "status", testid: "pair-line" }, words);
  }
}
