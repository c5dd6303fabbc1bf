// Names of holes, for people who play by keyboard and ear.

import { ZONE_HOLES } from "../board/layout.js";
import { t } from "../core/words.js";
import { colorName } from "../panels/seats.js";

/** @import { Hole, SeatStyles } from "#types" */

/**
 * The number of a hole and the colour of its part of the board.
 *
 * @param {Hole} hole
 * @param {SeatStyles} styles
 */
export function holeName({ kind, seat, index }, styles) {
  if (kind === "centre") return t("hole-centre");
  const color = colorName(seat ?? `P${Math.floor(index / ZONE_HOLES)}`, styles);
  if (kind !== "track") return t(kind === "camp" ? "hole-camp" : "hole-home", { n: index + 1, color });
  const n = index % ZONE_HOLES;
  return n ? t("hole-track", { n, color }) : t("hole-start", { color });
}
