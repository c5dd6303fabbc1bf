// Which pawns are nowhere on a real board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser } from "./browser.mjs";
import { seatView, warning } from "./views.mjs";

openBrowser();
const { missingPawns } = await import("../tock_web/static/js/panels/missing_tray.js");

const holes = { T4: "P0", T20: "P0", T26: "P1", "P1-C1": "P1" };
const empty = { state: /** @type {const} */ ("empty"), seat: null };
const missing = warning({ code: "board/pawn_missing", seat: "P0", tone: "calm" });

/**
 * @param {import("#types").SeatView["seen"]} seen
 * @param {Partial<import("#types").BoardWarning>} [changes]
 */
function found(seen, changes = {}) {
  return missingPawns(seatView({ holes, seen, warning: { ...missing, ...changes } }));
}

test("a pawn is missing where its hole is empty or another's, unless it is seen elsewhere", () => {
  assert.deepEqual(found({}), []);
  assert.deepEqual(found({ T4: empty, T26: empty, "P1-C1": empty }), ["P0", "P1", "P1"]);
  assert.deepEqual(found({ T4: { state: "pawn", seat: "P1" }, T26: empty }), ["P0"]);
  assert.deepEqual(found({ T4: empty, T9: { state: "pawn", seat: "P0" } }), []);
  assert.deepEqual(found({ T4: { state: "unknown", seat: null } }), []);
});

test("a pawn that lies beside the holes is on the board", () => {
  assert.deepEqual(found({ T4: empty, T20: empty }, { spots: [{ x_mm: 10, y_mm: 10 }] }), ["P0"]);
});

test("a pawn in the hand for a move is not missing", () => {
  assert.deepEqual(missingPawns(seatView({ holes, seen: { T4: empty } })), []);
  assert.deepEqual(found({ T4: empty }, { code: "move/count" }), []);
});
