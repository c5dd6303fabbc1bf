// When a phone's automatics are held, and what is asked of its camera then.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { constraintsFor, freeOf, letGo, stopsOf, watched } from "../tock_web/static/js/state/holding.js";

/** @import { Glance, Holding } from "../tock_web/static/js/state/holding.js" */

/** @param {Partial<Glance> & { atMs: number }} changes */
const glance = (changes) => ({ stops: -2, isSeen: true, movedMs: -Infinity, ...changes });

/** @type {(holding: Holding, ...glances: (Partial<Glance> & { atMs: number })[]) => Holding} */
const after = (holding, ...glances) => glances.map(glance).reduce(watched, holding);

const held = after(letGo(0), { atMs: 0 }, { atMs: 1_500 });

describe("A phone's automatics", () => {
  test("are held once the board is seen and the light is steady", () => {
    assert.equal(after(letGo(0), { atMs: 0 }, { atMs: 1_400 }).phase, "follows");
    assert.equal(after(letGo(0), { atMs: 0, stops: -3 }, { atMs: 1_500 }).phase, "follows");
    assert.equal(
      after(letGo(0), { atMs: 0, isSeen: false }, { atMs: 20_000, isSeen: false }).phase,
      "follows",
    );
    assert.deepEqual([held.phase, held.heldStops], ["held", -2]);
  });

  test("are held after a while where a lamp flickers", () => {
    assert.equal(after(letGo(0), { atMs: 11_900, stops: -3 }, { atMs: 12_000, stops: -1 }).phase, "held");
  });

  test("settle again when the room has changed and nothing moves", () => {
    assert.equal(after(held, { atMs: 20_000, stops: -3, movedMs: 19_000 }).phase, "held");
    assert.equal(after(held, { atMs: 20_000, stops: -2.5, movedMs: 3_000 }).phase, "held");
    assert.equal(after(held, { atMs: 20_000, stops: -3, movedMs: 3_000 }).phase, "follows");
  });

  test("are held as they are when a hand comes, and settle at the next rest", () => {
    const dark = { stops: -3, movedMs: 3_000 };
    const disturbed = after(held, { atMs: 20_000, ...dark }, { atMs: 21_500, stops: -2.5, movedMs: 21_400 });
    assert.deepEqual([disturbed.phase, disturbed.heldStops], ["held", -2.5]);
    assert.equal(after(disturbed, { atMs: 30_000, stops: -2.5, movedMs: 21_400 }).phase, "follows");
  });
});

describe("What is asked of a phone's camera", () => {
  const capabilities = {
    exposureMode: ["continuous", "manual"],
    exposureTime: { min: 1, max: 9 },
    focusMode: ["single-shot"],
  };
  const settings = { exposureMode: "continuous", exposureTime: 4, iso: 100 };

  test("is what it offers, at the values that it has", () => {
    assert.deepEqual(constraintsFor(capabilities, settings, true), [
      { exposureMode: "manual", exposureTime: 4 },
    ]);
    assert.deepEqual(constraintsFor(capabilities, settings, false), [{ exposureMode: "continuous" }]);
    assert.deepEqual(constraintsFor({}, {}, true), []);
  });

  test("leaves some automatics free", () => {
    assert.deepEqual(freeOf(capabilities, { exposureMode: "manual" }), ["colors", "focus"]);
    assert.deepEqual(freeOf({}, {}), ["exposure", "colors"]);
  });
});

test("the light of a picture is that of its middle cell", () => {
  assert.equal(stopsOf(Uint8Array.from([255, 255, 0])), 0);
  assert.equal(Math.round(stopsOf(Uint8Array.from([128, 10, 255]))), -2);
});
