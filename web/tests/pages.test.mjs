// State of the other pages and dialogs, changed by taps and views.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as boards from "../tock_web/static/js/state/boards.js";
import * as pages from "../tock_web/static/js/state/pages.js";
import * as setup from "../tock_web/static/js/state/setup.js";
import { after, hostView } from "./views.mjs";

const text = { fr: "", en: "" };

describe("a game to step through", () => {
  const step = {
    seq: 0,
    t_ms: 0,
    hand: 1,
    seat: null,
    card: null,
    text: null,
    label: text,
    arrows: [],
    holes: {},
  };
  const steps = [1, 2, 3].map((seq) => ({ ...step, seq }));
  const opened = after(boards.reduceReplay, boards.NO_REPLAY, { type: "opened", steps });

  test("opens at its end and stays within its steps", () => {
    assert.equal(opened.at, 2);
    assert.equal(after(boards.reduceReplay, opened, { type: "went", to: 9 }).at, 2);
    assert.equal(after(boards.reduceReplay, opened, { type: "went", to: -1 }).at, 0);
  });

  test("plays from the start when it is at its end, and stops there", () => {
    const playing = after(boards.reduceReplay, opened, { type: "playTapped" });
    assert.deepEqual([playing.at, playing.isPlaying], [0, true]);
    const middle = after(boards.reduceReplay, playing, { type: "went", to: 1 });
    assert.equal(middle.isPlaying, true);
    assert.equal(after(boards.reduceReplay, middle, { type: "went", to: 2 }).isPlaying, false);
    assert.equal(after(boards.reduceReplay, middle, { type: "playTapped" }).isPlaying, false);
    assert.equal(after(boards.reduceReplay, middle, { type: "closed" }).isPlaying, false);
  });
});

describe("a board that is put right by hand", () => {
  const opened = after(boards.reduceCorrect, boards.NO_CORRECTION, {
    type: "opened",
    holes: { T4: "P0", T26: "P1" },
  });
  /** @param {string} hole */
  const tap = (hole) => ({ type: /** @type {const} */ ("tapped"), hole });

  test("takes a pawn with one tap and puts it down with the next", () => {
    const moved = after(boards.reduceCorrect, opened, tap("T4"), tap("T9"));
    assert.deepEqual(moved.holes, { T26: "P1", T9: "P0" });
    assert.deepEqual(moved.changes, [{ seat: "P0", from: "T4", to: "T9" }]);
  });

  test("takes nothing from an empty hole and puts nothing onto another pawn", () => {
    assert.equal(after(boards.reduceCorrect, opened, tap("T50")), opened);
    const onto = after(boards.reduceCorrect, opened, tap("T4"), tap("T26"));
    assert.deepEqual([onto.changes, onto.taken], [[], { seat: "P0", from: "T4" }]);
    assert.equal(after(boards.reduceCorrect, onto, tap("T4")).taken, null);
  });

  test("shows the whole board again after each tap that meant something", () => {
    const magnified = after(boards.reduceCorrect, opened, { type: "magnified", point: { x: 1, y: 2 } });
    assert.deepEqual(after(boards.reduceCorrect, magnified, tap("T50")).magnified, { x: 1, y: 2 });
    assert.equal(after(boards.reduceCorrect, magnified, tap("T4")).magnified, null);
  });

  test("is undone change by change", () => {
    const twice = after(boards.reduceCorrect, opened, tap("T4"), tap("T9"), tap("T9"), tap("T12"));
    const once = after(boards.reduceCorrect, twice, { type: "undone" });
    assert.deepEqual(once.holes, { T26: "P1", T9: "P0" });
    assert.deepEqual(after(boards.reduceCorrect, once, { type: "undone" }).holes, opened.holes);
    assert.deepEqual(after(boards.reduceCorrect, opened, { type: "undone" }).holes, opened.holes);
  });
});

describe("the start page", () => {
  const view = { ...hostView(), role: /** @type {const} */ ("table") };
  const full = { ...view, seats: view.seats.map((entry) => ({ ...entry, taken: true })) };

  test("says that a picked seat is taken", () => {
    const seen = after(pages.reduceJoin, pages.NO_JOIN, { type: "seen", view });
    assert.equal(pages.isTaken(after(pages.reduceJoin, seen, { type: "picked", seat: "P0" })), true);
    assert.equal(pages.isTaken(after(pages.reduceJoin, seen, { type: "picked", seat: "P1" })), false);
  });

  test("folds its form where all sit, until somebody opens it", () => {
    const seen = after(pages.reduceJoin, pages.NO_JOIN, { type: "seen", view: full });
    assert.equal(pages.isFolded(seen), true);
    assert.equal(pages.isFolded(after(pages.reduceJoin, seen, { type: "unfolded" })), false);
    assert.equal(pages.isFolded(pages.NO_JOIN), false);
  });

  test("the simulated table follows the turn again after each turn", () => {
    const chosen = after(
      pages.reduceSim,
      pages.NO_SIM,
      { type: "seen", view },
      { type: "seatChosen", seat: "P2" },
    );
    assert.equal(after(pages.reduceSim, chosen, { type: "seen", view: full }).seat, "P2");
    assert.equal(
      after(pages.reduceSim, chosen, { type: "seen", view: { ...view, to_move: "P1" } }).seat,
      null,
    );
  });
});

describe("setting the table up", () => {
  const pawn = { T9: { state: /** @type {const} */ ("pawn"), seat: "P0" } };
  const seen = (changes = {}, options = {}) => ({
    view: hostView(changes),
    isOpen: true,
    countsMoves: true,
    ...options,
  });

  test("counts cards and moves only while somebody watches", () => {
    const start = after(setup.reduceSetup, setup.NO_SETUP, seen());
    const counted = after(setup.reduceSetup, start, seen({ card: "6H" }), seen({ card: "6H", seen: pawn }));
    assert.deepEqual([counted.cards, counted.moved], [1, 1]);
    const closed = after(setup.reduceSetup, start, seen({ card: "6H", seen: pawn }, { isOpen: false }));
    assert.deepEqual([closed.cards, closed.moved], [0, 0]);
    const early = after(setup.reduceSetup, start, seen({ seen: pawn }, { countsMoves: false }));
    assert.equal(early.moved, 0);
  });

  test("knows which seat's pawns are not where they should be", () => {
    const view = hostView({
      holes: { T4: "P0", T26: "P1" },
      seen: {
        T4: { state: "empty", seat: null },
        T9: { state: "pawn", seat: "P0" },
        T40: { state: "unknown", seat: null },
      },
    });
    assert.equal(setup.misplacedCount(view, "P0"), 2);
    assert.equal(setup.misplacedCount(view, "P1"), 0);
    assert.equal(setup.occludedCount(view), 1);
  });
});
