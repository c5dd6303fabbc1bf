// A club's evening as its screens remember it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, withTables } from "../tock_web/static/js/state/club.js";

/** @import { HallGame, HallView } from "#types" */

/**
 * @param {number} table
 * @param {string[]} names
 * @returns {HallGame}
 */
const game = (table, names) => ({
  table,
  sides: names.map((name) => [name]),
  home: null,
  result: null,
  proposed: false,
  device: null,
  online: false,
});

/** @type {HallView} */
const hall = {
  revision: 4,
  club: "Oaks",
  tournament: "Cup",
  form: "singles",
  system: "swiss",
  seats: 2,
  round: 1,
  rounds: 3,
  begun: true,
  closed: false,
  left_s: 60,
  games: [game(1, ["Ana", "Bea"]), game(2, ["Dan", "Eve"])],
  byes: ["Fay & Gus"],
  corrections: [],
  groups: [],
};

test("a table that has changed takes its place, and the others stay the same objects", () => {
  const changed = { ...game(2, ["Dan", "Eve"]), home: [1, 0] };
  const now = withTables(hall, { revision: 5, left_s: 59, games: [changed] });
  assert.deepEqual([now.revision, now.left_s, now.club], [5, 59, "Oaks"]);
  assert.equal(now.games[0], hall.games[0]);
  assert.equal(now.games[1], changed);
});

test("everybody finds their table, or that they sit out", () => {
  assert.equal(placeOf(hall, "Eve"), hall.games[1]);
  assert.equal(placeOf(hall, "Gus"), "bye");
  assert.equal(placeOf(hall, "Zoe"), null);
});
