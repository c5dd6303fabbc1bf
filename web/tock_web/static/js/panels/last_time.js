// Sitting down as the last time, with one tap.

import { pawnIcon } from "../board/shapes.js";
import { recall } from "../core/bootstrap.js";
import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, switchLanguage, t } from "../core/words.js";
import { colorName } from "./seats.js";

/** @import { LastPlayer, SeatName, SeatStyles, TableView } from "#types" */

/**
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {(name: string, seat: SeatName) => void} join
 */
export function lastTimePanel(root, styles, join) {
  const sit = async (/** @type {LastPlayer} */ { name, seat, lang }) => {
    // A phone whose owner has chosen a language keeps it.
    if (!recall("lang", "") && lang !== language()) await switchLanguage();
    join(name, seat);
  };
  const tile = (/** @type {LastPlayer} */ player) =>
    button(
      "tile",
      `last-${player.seat}`,
      [pawnIcon(styles.get(player.seat)), h("span", player.name, h("small", colorName(player.seat, styles)))],
      () => sit(player),
    );
  const draw = drawer(root, (/** @type {readonly LastPlayer[]} */ players) =>
    players.length
      ? [h("h2", t("last-time")), h("div.tiles", { testid: "last-time" }, players.map(tile))]
      : [],
  );
  return (/** @type {TableView} */ { lobby }) => {
    const own = recall("name", "");
    // Whoever holds this phone finds their own name first.
    const players = [...(lobby?.last ?? [])].sort((a, b) => Number(b.name === own) - Number(a.name === own));
    draw([language(), players], players);
  };
}
