// The tray beside the simulated board.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { boardFile, openBrowser } from "./browser.mjs";

const { document } = openBrowser();
const { Layout } = await import("../tock_web/static/js/board/layout.js");
const { seatStyles } = await import("../tock_web/static/js/board/shapes.js");
const { Tray, isBeside } = await import("../tock_web/static/js/sim/tray.js");

/** @param {string} id */
function pawn(id) {
  return { id, seat: id.slice(0, 2), x_mm: -100, y_mm: 0, hole: null };
}

function newTray() {
  const root = document.createElement("div");
  return { root, tray: new Tray(root, seatStyles(boardFile)) };
}

/** @param {Element} root */
function idsIn(root) {
  return [...root.querySelectorAll("[data-pawn-id]")].map((button) => button.getAttribute("data-pawn-id"));
}

describe("the tray", () => {
  test("is for every place off the board that is drawn, and for none of its holes", () => {
    const { box, places } = new Layout(boardFile);
    for (const place of places.values()) assert.equal(isBeside(box, place), false);
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    for (const x of [box.left - 1, box.left + box.width + 1])
      assert.equal(isBeside(box, { ...middle, x }), true);
    for (const y of [box.top - 1, box.top + box.height + 1])
      assert.equal(isBeside(box, { ...middle, y }), true);
  });

  test("shows pawns by colour, and a pawn that stays keeps its button", () => {
    const { root, tray } = newTray();
    tray.show([pawn("P1-1"), pawn("P0-2")], null);
    assert.deepEqual(idsIn(root), ["P0-2", "P1-1"]);
    const kept = root.querySelector('[data-pawn-id="P1-1"]');
    tray.show([pawn("P1-1"), pawn("P1-2")], pawn("P1-1"));
    assert.deepEqual(idsIn(root), ["P1-1", "P1-2"]);
    assert.equal(root.querySelector('[data-pawn-id="P1-1"]'), kept);
    assert.equal(kept?.getAttribute("aria-pressed"), "true");
  });

  test("offers its place to a pawn lifted from the board only", () => {
    const { root, tray } = newTray();
    const place = root.querySelector('[data-testid="sim-set-aside"]');
    const offers = (/** @type {ReturnType<typeof pawn> | null} */ lifted) => {
      tray.show([pawn("P0-1")], lifted);
      return !place?.hasAttribute("hidden");
    };
    assert.deepEqual([offers(null), offers(pawn("P0-1")), offers(pawn("P2-3"))], [false, false, true]);
  });
});
