// The people who change colour when the board or the game changes: read before, and again after.

import { h } from "../core/dom.js";
import { t, tNamed } from "../core/words.js";

/** @import { HostView, SeatName, View } from "#types" */
/** @typedef {{ name: string, before: string, now: string | null }} Moved colours; no new one without a seat */

/**
 * @param {Pick<View, "seats">} view
 * @param {Partial<Record<SeatName, SeatName | null>>} places where everybody would sit, by their present seats
 * @param {Partial<Record<SeatName, string>>} colors there
 * @returns {Moved[]}
 */
export function whoMoves({ seats }, places, colors) {
  return seats
    .filter(({ taken, seat }) => taken && seat in places)
    .map(({ name, seat, color }) => {
      const to = places[seat];
      return { name, before: color, now: to ? (colors[to] ?? null) : null };
    })
    .filter(({ before, now }) => before !== now);
}

/** @param {Moved} moved */
export function movedLine({ name, before, now }) {
  if (now === null) return t("moved-looks-on", { name });
  return t("moved", { name, before: tNamed("color.", before), now: tNamed("color.", now) });
}

/** The lines as a list; nothing where nobody moves. @param {Moved[]} moved */
export function movedList(moved) {
  return (
    moved.length > 0 &&
    h(
      "ul.moved",
      { testid: "moved" },
      moved.map((one) => h("li", movedLine(one))),
    )
  );
}

/** Whether another board ends a game. @param {HostView | null} view */
export function endsGame(view) {
  return Boolean(view && !view.lobby && !view.game.ended);
}

/** What another board changes for those who sit there. @type {(view: HostView | null, moved: Moved[]) => HTMLDivElement} */
export function endsWarning(view, moved) {
  return h(
    "div",
    { role: "alert", testid: "board-sure" },
    endsGame(view) && h("p.bad", t("boards.ends-game")),
    movedList(moved),
  );
}
