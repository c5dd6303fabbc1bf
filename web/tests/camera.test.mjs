// The state of a camera phone's page: its permission, the table's clock, and the pictures worth sending.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as camera from "../tock_web/static/js/state/camera.js";
import { after } from "./views.mjs";

/** @import { CameraAction } from "../tock_web/static/js/state/camera.js" */
/** @import { PhoneAsked, PictureSeen } from "#types" */

const { NO_CAMERA, MOVING_MS, STILL_MS } = camera;

/** @type {(state: PhoneAsked["state"], now_ms?: number) => PhoneAsked} */
const answer = (state, now_ms = 0) => ({ ok: true, state, now_ms, hold_still: true });

/** @type {(changes?: Partial<PictureSeen>) => PictureSeen} */
const sight = (changes = {}) => ({
  ok: true,
  now_ms: 0,
  code: "",
  message: {},
  outline: [[0, 0]],
  pawns: [],
  recording: false,
  ...changes,
});

/** @param {CameraAction[]} actions */
const state = (...actions) => after(camera.reduceCamera, NO_CAMERA, ...actions);

/** @type {CameraAction} */
const letIn = { type: "asked", answer: answer("let_in"), sentMs: 0, answeredMs: 20 };

/** @type {(bytes: number, tookMs: number, sentMs?: number) => CameraAction} */
const taken = (bytes, tookMs, sentMs = 0) => ({
  type: "seen",
  seen: sight(),
  bytes,
  sentMs,
  answeredMs: sentMs + tookMs,
});

describe("a phone that wants to be the camera", () => {
  test("is asked for its camera, waits for the host, and is live once the board is found", () => {
    assert.equal(camera.shownState(NO_CAMERA), "asking");
    assert.equal(camera.shownState(state({ type: "phase", phase: "permission" })), "asking");
    assert.equal(
      camera.shownState(state({ ...letIn, answer: answer("asking") })),
      "asking",
      "the host has not tapped yet",
    );
    assert.equal(camera.shownState(state(letIn)), "searching");
    assert.equal(camera.shownState(state(letIn, taken(1, 1))), "live");
    const nowhere = { .../** @type {any} */ (taken(1, 1)), seen: sight({ outline: [] }) };
    assert.equal(camera.shownState(state(letIn, taken(1, 1), nowhere)), "searching");
  });

  test("is refused by the host or by the phone itself, and lost when nobody answers", () => {
    assert.equal(camera.shownState(state({ ...letIn, answer: answer("refused") })), "refused");
    assert.equal(camera.shownState(state({ type: "phase", phase: "denied" })), "refused");
    assert.equal(camera.shownState(state(letIn, { type: "phase", phase: "ended" })), "lost");
    const lost = state(letIn, taken(1, 1), { type: "unanswered" });
    assert.equal(camera.shownState(lost), "lost");
    assert.equal(camera.shownState(after(camera.reduceCamera, lost, taken(1, 1))), "live");
  });

  test("shows what the companion complained of until a picture is taken again", () => {
    const message = { fr: "Trop tard", en: "Too late" };
    const refused = state(letIn, { type: "complaint", message });
    assert.deepEqual(refused.complaint, message);
    assert.equal(after(camera.reduceCamera, refused, taken(1, 1)).complaint, null);
  });

  test("forgets what was seen once it no longer sends", () => {
    assert.equal(state(letIn, taken(1, 1), { type: "phase", phase: "waiting" }).seen, null);
  });
});

describe("the table's clock on a phone", () => {
  test("is known from half the way there and back, and not before", () => {
    assert.equal(camera.tableTime(NO_CAMERA, 100), null);
    const asked = state({ type: "asked", answer: answer("asking", 5_000), sentMs: 100, answeredMs: 140 });
    assert.equal(camera.tableTime(asked, 120), 5_000);
    assert.equal(camera.tableTime(asked, -9_999), 0);
  });

  test("is measured again once a picture has a time that cannot be, and only times that stay wrong are worth a word", () => {
    const message = { fr: "Un instant", en: "One moment" };
    const mistimed = (/** @type {number} */ atMs) => ({
      type: /** @type {const} */ ("mistimed"),
      message,
      atMs,
    });
    const asked = state({ ...letIn, answeredMs: 2 });
    const once = after(camera.reduceCamera, asked, mistimed(100));
    assert.equal(camera.tableTime(once, 100), null);
    assert.equal(once.complaint, null);
    const slower = { ...letIn, answer: answer("let_in", 50), answeredMs: 40 };
    const again = after(camera.reduceCamera, once, slower);
    assert.equal(camera.tableTime(again, 20), 50);
    // Two boards laid within a second are nobody's fault.
    assert.equal(after(camera.reduceCamera, again, mistimed(1_100)).complaint, null);
    assert.deepEqual(after(camera.reduceCamera, again, mistimed(3_200)).complaint, message);
    const well = after(camera.reduceCamera, again, taken(1, 1), mistimed(3_200));
    assert.equal(well.complaint, null);
  });

  test("keeps the surest measurement, until that is a minute old", () => {
    const sure = {
      type: /** @type {const} */ ("asked"),
      answer: answer("let_in", 1_000),
      sentMs: 0,
      answeredMs: 10,
    };
    const vague = { ...sure, answer: answer("let_in", 9_000), sentMs: 1_000, answeredMs: 1_900 };
    assert.equal(state(sure, vague).clock?.roundMs, 10);
    assert.equal(state(vague, { ...sure, sentMs: 2_000, answeredMs: 2_010 }).clock?.roundMs, 10);
    assert.equal(state(sure, { ...vague, sentMs: 61_000, answeredMs: 61_900 }).clock?.roundMs, 900);
  });
});

describe("pictures", () => {
  test("are sent three times a second, and ten times while something moves and a moment after", () => {
    const still = state(letIn);
    assert.equal(camera.isDue(still, 0, STILL_MS - MOVING_MS), false);
    assert.equal(camera.isDue(still, 0, STILL_MS), true);
    const moving = after(camera.reduceCamera, still, { type: "moved", atMs: 1_000 });
    assert.equal(camera.isDue(moving, 1_000, 1_000 + MOVING_MS), true);
    assert.equal(camera.isDue(moving, 2_400, 2_400 + MOVING_MS - 40), false);
    assert.equal(camera.isDue(moving, 3_000, 3_000 + MOVING_MS), false, "the hand has gone");
  });

  test("become rarer where two megabytes a second are reached", () => {
    const full = state(letIn, { type: "moved", atMs: 900 }, taken(2_100_000, 10, 900));
    assert.equal(camera.isDue(full, 900, 900 + MOVING_MS), false);
    assert.equal(camera.isDue(full, 900, 900 + STILL_MS), true);
  });

  test("become poorer on a slow or full network, never worse than readable, and better again", () => {
    const slow = state(letIn, taken(50_000, 900));
    assert.ok(slow.quality < NO_CAMERA.quality);
    const large = state(letIn, taken(300_000, 50));
    assert.ok(large.quality < NO_CAMERA.quality);
    const worst = state(letIn, ...Array.from({ length: 30 }, (_, n) => taken(50_000, 900, n * 1_000)));
    assert.equal(worst.quality, 0.4);
    const better = after(camera.reduceCamera, worst, taken(50_000, 50, 40_000));
    assert.ok(better.quality > worst.quality);
    const best = state(letIn, ...Array.from({ length: 30 }, (_, n) => taken(50_000, 50, n * 1_000)));
    assert.equal(best.quality, NO_CAMERA.quality);
  });

  test("count for a second", () => {
    assert.equal(state(letIn, taken(10, 5), taken(10, 5, 500)).sent.length, 2);
    assert.equal(state(letIn, taken(10, 5), taken(10, 5, 2_000)).sent.length, 1);
  });

  test("are as large as the reader needs, upright or not, and never enlarged", () => {
    assert.deepEqual(camera.sentSize(4_000, 3_000), { width: 1_280, height: 960 });
    assert.deepEqual(camera.sentSize(3_000, 4_000), { width: 960, height: 1_280 });
    assert.deepEqual(camera.sentSize(1_920, 1_080), { width: 1_280, height: 720 });
    assert.deepEqual(camera.sentSize(640, 480), { width: 640, height: 480 });
  });

  test("differ when a cell changes by more than the grain of a sensor", () => {
    const before = Uint8Array.of(100, 100);
    assert.equal(camera.differs(before, null), true);
    assert.equal(camera.differs(Uint8Array.of(108, 95), before), false);
    assert.equal(camera.differs(Uint8Array.of(100, 130), before), true);
  });
});
