// A board that is being made from photographs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

const { NO_MAKER, openAsks, reduceMaker } = await import("../tock_web/static/js/workshop/state.js");
const { boardBox, holeLabel, holeSeat, nearestHole } =
  await import("../tock_web/static/js/workshop/holes.js");

/** @typedef {import("../tock_web/static/js/workshop/state.js").MakerState} MakerState */
/** @typedef {import("../types/page").BoardMade} BoardMade */

/** @type {BoardMade} */
const nothing = {
  phase: "empty",
  progress: 0,
  photos: [],
  reason: "",
  message: null,
  asks: [],
  board: null,
  checked: null,
};
/** @type {BoardMade} */
const found = {
  ...nothing,
  phase: "found",
  photos: [
    { width: 400, height: 300 },
    { width: 400, height: 200 },
  ],
  board: {
    zones: 4,
    zone_length: 18,
    holes: [
      { id: "T0", doubtful: false, places: [null, [0.5, 0.5]] },
      { id: "P1-H2", doubtful: true, places: [null, [0.6, 0.5]] },
    ],
    missing: [],
    colors: { P0: "red" },
    whole: true,
    undo: 0,
  },
};

/** @type {(state: MakerState, made: BoardMade) => MakerState} */
const received = (state, made) => reduceMaker(state, { type: "received", made });

describe("a board in the making", () => {
  test("is mended once it is found, on the photo that shows it, and photographed again once it is gone", () => {
    const finding = received(NO_MAKER, { ...nothing, phase: "finding" });
    assert.equal(finding.step, "photos");
    const mending = received(finding, found);
    assert.deepEqual([mending.step, mending.photo, mending.tool], ["mend", 1, "look"]);
    const checking = reduceMaker(mending, { type: "went", step: "check" });
    assert.equal(received(checking, found).step, "check", "an edit or a check leads nowhere else");
    assert.equal(received(checking, nothing).step, "photos");
  });

  test("takes as many start holes as it has zones, and the last one back", () => {
    let state = reduceMaker(received(NO_MAKER, nothing), { type: "went", step: "starts" });
    for (let count = 0; count < 5; count += 1)
      state = reduceMaker(state, { type: "touched", at: [0.1, 0.2] });
    assert.equal(state.starts.length, 4);
    state = reduceMaker(state, { type: "touched", at: [0.3, 0.4] });
    assert.deepEqual([state.starts.length, state.starts[3]], [4, [0.3, 0.4]]);
    state = reduceMaker(state, { type: "untouched" });
    assert.equal(state.starts.length, 3);
    state = reduceMaker(state, { type: "zones", zones: 6 });
    assert.deepEqual([state.zones, state.starts.length, state.middle], [6, 3, null]);
    state = reduceMaker(state, { middle: false });
    assert.equal(state.middle, false);
    assert.equal(reduceMaker(state, { type: "went", step: "starts" }).middle, null);
  });

  test("waits for each answer, also for a refusal", () => {
    const sent = reduceMaker(received(NO_MAKER, found), { isBusy: true });
    assert.ok(sent.isBusy);
    assert.ok(!received(sent, found).isBusy);
    assert.ok(!reduceMaker(sent, { isBusy: false }).isBusy);
  });

  test("is enlarged twice, and then shown whole again", () => {
    const zooms = [1, 2, 3].reduce(
      (states) => [...states, reduceMaker(states[states.length - 1], { type: "zoomed" })],
      [NO_MAKER],
    );
    assert.deepEqual(
      zooms.map(({ zoom }) => zoom),
      [1, 2, 4, 1],
    );
  });

  test("is enlarged around what was touched, and around the middle by the button", () => {
    const near = reduceMaker(NO_MAKER, { type: "zoomed", at: [0.2, 0.3] });
    assert.deepEqual([near.zoom, near.focus], [2, [0.2, 0.3]]);
    assert.equal(reduceMaker(near, { type: "zoomed" }).focus, null);
  });

  test("asks first what a person alone can say, and for one colour after the other", () => {
    const asks = ["discover/unused", "discover/ask_centre", "discover/ask_colors"].map((code) => ({
      code,
      message: { fr: "", en: "" },
    }));
    const state = received(NO_MAKER, { ...found, asks });
    assert.deepEqual(
      openAsks(state).map(({ code }) => code),
      ["discover/ask_centre", "discover/ask_colors"],
    );
    assert.equal(reduceMaker(state, { type: "seatColored" }).coloring, 1);
  });

  test("shows the table's camera only where its picture is taken", () => {
    const checking = reduceMaker(received(NO_MAKER, found), { type: "went", step: "check" });
    const photographed = reduceMaker(checking, { type: "pictured", fromCamera: false });
    assert.deepEqual([photographed.fromCamera, photographed.checks], [false, 1]);
    assert.ok(reduceMaker(checking, { type: "pictured", fromCamera: true }).fromCamera);
  });

  test("knows the hole under a finger, measured as the photo is seen", () => {
    assert.equal(nearestHole(found, 1, [0.53, 0.5])?.hole.id, "T0");
    const near = nearestHole(found, 1, [0.6, 0.6]);
    assert.equal(near?.hole.id, "P1-H2");
    assert.ok(
      Math.abs((near?.distance ?? 0) - 0.05) < 1e-9,
      "a tenth of the height is a twentieth of the width",
    );
    assert.equal(nearestHole(found, 0, [0.5, 0.5]), null);
  });

  test("is shown cut to itself, and whole where only a few holes are known", () => {
    const holes = Array.from({ length: 72 }, (_, index) => ({
      id: `T${index}`,
      doubtful: false,
      places: [[0.2 + index / 180, 0.5 + (index % 2) / 10]],
    }));
    const board = found.board && { ...found.board, holes };
    const [left, top, width, height] = boardBox({ ...found, board }, 0);
    assert.ok(left < 0.2 && left > 0.1 && left + width > 0.594 && left + width < 0.7);
    assert.ok(top < 0.5 && top > 0.45 && top + height > 0.6 && top + height < 0.65);
    assert.deepEqual(boardBox(found, 1), [0, 0, 1, 1]);
  });

  test("numbers its holes as players count them", () => {
    const ids = ["T0", "T1", "T16", "T18", "P2-H3", "P0-C1", "C", "+4"];
    const labels = ids.map((id) => holeLabel(id, "M"));
    assert.deepEqual(labels, ["18", "1", "16", "18", "M3", "C1", "·", "?"]);
    assert.deepEqual(["T0", "T1", "T18", "P2-H3", "C", "+1"].map((id) => holeSeat(id)), [
      "P0", null, "P1", "P2", null, null,
    ]); // prettier-ignore
  });
});
