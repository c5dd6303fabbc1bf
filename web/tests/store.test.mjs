// State that changes in one place, and drawing that spares the finger and the focus.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { h } from "../tock_web/static/js/core/dom.js";
import { Store, drawer } from "../tock_web/static/js/core/store.js";
import { fire, openBrowser } from "./browser.mjs";

describe("a store", () => {
  test("tells of a change with the state before it, and of nothing else", () => {
    /** @type {[number, number][]} */
    const changes = [];
    const store = new Store(
      (/** @type {number} */ state, /** @type {number} */ more) => state + more,
      1,
      (now, before) => changes.push([now, before]),
    );
    store.dispatch(2);
    store.dispatch(0);
    assert.deepEqual(changes, [[3, 1]]);
  });

  test("a drawer draws only what has another key", () => {
    const root = openBrowser().document.createElement("p");
    const draw = drawer(root, (/** @type {string} */ words) => [words, null, [false, words]]);
    draw([1], "a");
    draw([1], "b");
    assert.equal(root.textContent, "aa");
    draw([2], "c");
    assert.equal(root.textContent, "cc");
  });

  for (const [ending, waitsMs] of /** @type {const} */ ([
    ["click", 0],
    ["pointercancel", 0],
    ["pointerup", 500],
  ])) {
    test(`a drawer leaves the button under a finger alone until the ${ending}`, async () => {
      const { document, clock } = openBrowser();
      const root = document.body.appendChild(document.createElement("p"));
      const beside = document.body.appendChild(document.createElement("p"));
      const button = (/** @type {string} */ words) => h("button", {}, words);
      const [draw, drawBeside] = [drawer(root, button), drawer(beside, button)];
      draw([1], "a");
      const under = root.firstElementChild;
      fire(document, "pointerdown", under);
      draw([2], "b");
      draw([3], "c");
      drawBeside([1], "d");
      assert.equal(beside.textContent, "d");
      assert.equal(root.firstElementChild, under);
      fire(document, ending, under);
      if (waitsMs) await clock.pass(waitsMs - 1);
      assert.equal(root.textContent, ending === "pointercancel" ? "c" : "a");
      await clock.pass(1);
      assert.equal(root.textContent, "c");
    });
  }

  test("a button that has the focus keeps it when it is redrawn", () => {
    const { document } = openBrowser();
    const root = document.body.appendChild(document.createElement("p"));
    const draw = drawer(root, (/** @type {string} */ words) => h("button", { testid: "go" }, words));
    draw([1], "a");
    /** @type {unknown[]} */
    const focused = [];
    const note = function focus() {
      // @ts-expect-error The button itself.
      focused.push(this);
    };
    Object.assign(Object.getPrototypeOf(root.firstElementChild), { focus: note });
    Object.defineProperty(document, "activeElement", { value: root.firstElementChild });
    draw([2], "b");
    assert.deepEqual(focused, [root.firstElementChild]);
  });
});
