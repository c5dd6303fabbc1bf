// Rows of a club's evening: points in halves, games, standings.

import { h } from "../core/dom.js";
import { t, tNamed } from "../core/words.js";

/** @import { HallGame, StandingRow } from "#types" */

/** Half points as people write them: 7 is 3½. @param {number} halves */
export function points(halves) {
  const whole = Math.floor(halves / 2);
  if (halves % 2 === 0) return String(whole);
  return whole ? `${whole}½` : "½";
}

/**
 * The card of one table of a round.
 *
 * @param {HallGame} game
 * @param {"h2" | "h3"} [heading]
 * @param {boolean} [begun] whether the round has begun
 */
export function gameCard(game, heading = "h3", begun = true) {
  const winner = game.result?.winner ?? null;
  const sides = game.sides.map((names, index) => {
    const home = game.result?.scores[index]?.home ?? game.home?.[index];
    const pawns = home === undefined ? null : h("span.hall-home", t("club.result-pawns", { home }));
    const won = winner === index ? h("b.hall-won", t("club.won")) : null;
    return h("li", { class: winner === index ? "won" : null }, h("span", names.join(" & ")), won, pawns);
  });
  const state = game.result || !begun ? "" : t(game.proposed ? "club.result-waits" : "club.result-none");
  const away = game.device && !game.online ? h("span.trouble", t("club.sensor-off")) : null;
  return h(
    "article",
    { class: game.result ? "panel hall-table done" : "panel hall-table", testid: `hall-table-${game.table}` },
    h(heading, {}, t("club.table", { table: game.table }), " ", h("small", state), away),
    h("ul", sides),
  );
}

/** Rows of a table: forty names stand side by side. */
const MAX_ROWS = 20;

/** @param {readonly StandingRow[]} rows */
export function standingsTables(rows) {
  const parts = Math.max(1, Math.ceil(rows.length / MAX_ROWS));
  const each = Math.ceil(rows.length / parts);
  return Array.from({ length: parts }, (_, at) => standingsTable(rows.slice(each * at, each * (at + 1))));
}

/** @param {readonly StandingRow[]} rows */
function standingsTable(rows) {
  /** @type {["club.place", "club.name", "club.points", "club.buchholz", "club.direct", "club.pawns", "club.played"]} */
  const heads = [
    "club.place",
    "club.name",
    "club.points",
    "club.buchholz",
    "club.direct",
    "club.pawns",
    "club.played",
  ];
  const lines = rows.map((row) =>
    h(
      "tr",
      {
        testid: `standing-${row.place}`,
        title: row.before_next ? tNamed("club.why.", row.before_next) : null,
      },
      h("td", row.place),
      h("th", { scope: "row" }, row.name),
      [points(row.halves), points(row.buchholz), points(row.direct), row.pawns, row.played].map((cell) =>
        h("td", cell),
      ),
    ),
  );
  const head = heads.map((key) => h("th", { scope: "col" }, t(key)));
  return h("table.standings", h("thead", h("tr", head)), h("tbody", lines));
}
