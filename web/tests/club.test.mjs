// A club's evening in the state of its screens.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { FakeStream, openBrowser, waitsBetweenTries } from "./browser.mjs";
import { meantBy, placeOf, withTables } from "../tock_web/static/js/club/state.js";

/** @import { HallGame, HallView } from "#types" */

let browser = openBrowser();
const { follow, keepUp, oneAtATime } = await import("../tock_web/static/js/club/stream.js");

/** @type {(table: number, names: string[]) => HallGame} */
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

test("a name is found as people write it, and several that begin alike are named", () => {
  const names = ["Mamie Jo", "Mamie Lou", "Élise", "Bea"];
  const here = { ...hall, games: [game(1, names)] };
  assert.deepEqual(meantBy(here, " mamie  JO"), ["Mamie Jo"]);
  assert.deepEqual(meantBy(here, "mamie"), ["Mamie Jo", "Mamie Lou"]);
  assert.deepEqual(meantBy(here, "lou"), ["Mamie Lou"]);
  assert.deepEqual(meantBy(here, "elise"), ["Élise"]);
  assert.deepEqual(meantBy(here, "gus"), ["Gus"]);
  assert.deepEqual(meantBy(here, "ise"), []);
});

describe("the stream of a club's screen", () => {
  /** @type {string[]} */
  let states;
  /** @type {HallView[]} */
  let halls;
  const open = () =>
    follow({
      state: (state) => states.push(state),
      hall: (now) => halls.push(now),
    });

  beforeEach(() => {
    browser = openBrowser();
    states = [];
    halls = [];
  });

  test("that is refused is opened again by itself, ever more slowly, and never given up", async () => {
    open();
    assert.deepEqual(await waitsBetweenTries(browser.clock, 6), [1000, 2000, 4000, 8000, 8000, 8000]);
    assert.ok(FakeStream.opened.slice(0, -1).every(({ isClosed }) => isClosed));
    assert.equal(states.at(-1), "lost");
    FakeStream.opened[6].send("hall", hall, "");
    assert.equal(states.at(-1), "live");
    assert.deepEqual(halls, [hall]);
  });

  test("is reported as lost after a silence and opened again; heartbeats are signs of life", async () => {
    open();
    FakeStream.opened[0].send("hall", hall, "");
    for (let beat = 0; beat < 4; beat += 1) {
      await browser.clock.pass(10_000);
      FakeStream.opened[0].send("hb", { revision: 4 });
    }
    assert.deepEqual(states, ["live"]);
    await browser.clock.pass(26_500);
    assert.equal(FakeStream.opened.length, 2);
    assert.deepEqual(states, ["live", "lost"]);
  });

  test("waits for the whole round before it takes in the tables that have changed", () => {
    open();
    const changed = { ...game(2, ["Dan", "Eve"]), home: [1, 0] };
    FakeStream.opened[0].send("tables", { revision: 5, left_s: 59, games: [changed] });
    assert.equal(halls.length, 0);
    FakeStream.opened[0].send("hall", hall, "");
    FakeStream.opened[0].send("tables", { revision: 5, left_s: 59, games: [changed] });
    assert.deepEqual(halls.at(-1)?.games[1].home, [1, 0]);
  });

  test("of all tables comes back in the same way", async () => {
    /** @type {unknown[]} */
    const received = [];
    keepUp("/api/v1/club/events", (state) => states.push(state), { club: (news) => received.push(news) });
    FakeStream.opened[0].fail();
    await browser.clock.pass(1_000);
    FakeStream.opened[1].send("club", { tables: [] });
    assert.deepEqual(received, [{ tables: [] }]);
    assert.deepEqual(states, ["lost"]);
  });
});

test("a request that failed does not keep the next one from being sent", async () => {
  let asked = 0;
  const look = oneAtATime(0, async () => {
    asked += 1;
    if (asked === 1) throw new Error("the club server is away");
  });
  await assert.rejects(look());
  await look();
  assert.equal(asked, 2);
});
