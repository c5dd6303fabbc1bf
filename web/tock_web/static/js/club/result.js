// The fields of a result: pawns at home of each side, and the winner.

import { h } from "../core/dom.js";
import { t } from "../core/words.js";

/** @import { HallGame } from "#types" */

/** @param {HallGame} game */
export function resultFields(game) {
  const most = 4 * (game.sides[0]?.length ?? 1);
  const homes = game.sides.map((_, index) =>
    h("input", {
      type: "number",
      min: 0,
      max: most,
      value: 0,
      required: true,
      id: `home-${index}`,
      testid: `home-${index}`,
    }),
  );
  const winner = h(
    "select",
    { id: "winner", testid: "winner" },
    h("option", { value: "" }, t("club.result-nobody")),
    game.sides.map((names, index) => h("option", { value: index }, names.join(" & "))),
  );
  winner.addEventListener("change", () => {
    if (winner.value !== "") homes[Number(winner.value)].value = String(most);
  });
  const root = h(
    "div",
    h("p.field", h("label", { for: "winner" }, t("club.result-winner")), winner),
    game.sides.map((names, index) =>
      h(
        "p.field",
        h("label", { for: `home-${index}` }, t("club.result-home", { names: names.join(" & ") })),
        homes[index],
      ),
    ),
  );
  const entered = () => ({
    homes: homes.map((field) => Number(field.value)),
    winner: winner.value === "" ? null : Number(winner.value),
  });
  return { root, entered };
}
