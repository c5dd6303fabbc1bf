// Requests wait in line for each other.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestQueue } from "../tock_web/static/js/core/queue.js";

/** A queue whose requests a test answers, in the order in which they were sent. */
function queueByHand() {
  /** @type {string[]} */
  const asked = [];
  /** @type {((isGranted: boolean) => void)[]} */
  const answers = [];
  /** @type {string[]} */
  let pending = [];
  const clock = { ms: 0 };
  const queue = new RequestQueue(
    (now) => (pending = now),
    () => clock.ms,
  );
  /** @param {string} key */
  const add = (key) =>
    queue.add(key, () => {
      asked.push(key);
      return new Promise((answer) => answers.push(answer));
    });
  const answer = async (/** @type {boolean} */ isGranted) => {
    answers.shift()?.(isGranted);
    await new Promise((go) => setImmediate(go));
  };
  return { add, answer, asked, clock, pending: () => pending };
}

/** Let pending work run. */
const settled = () => new Promise((go) => setImmediate(go));

describe("the queue of requests", () => {
  test("asks the next one when the one before is answered, granted or not", async () => {
    const { add, answer, asked, pending } = queueByHand();
    const [first, second] = [add("a"), add("b")];
    await settled();
    assert.deepEqual([asked, pending()], [["a"], ["a", "b"]]);
    await answer(false);
    assert.deepEqual([asked, pending()], [["a", "b"], ["b"]]);
    await answer(true);
    assert.deepEqual([await first, await second, pending()], [false, true, []]);
  });

  test("takes the same request right behind itself for a double tap", async () => {
    const { add, answer, asked } = queueByHand();
    const taps = [add("a"), add("a")];
    await settled();
    await answer(true);
    assert.deepEqual([asked, await Promise.all(taps)], [["a"], [true, true]]);
  });

  test("takes the same request at once after its answer for a double tap, and later for another one", async () => {
    const { add, answer, asked, clock } = queueByHand();
    void add("undo");
    await settled();
    await answer(true);
    clock.ms = 300;
    void add("undo");
    await settled();
    assert.deepEqual(asked, ["undo"]);
    clock.ms = 600;
    void add("undo");
    await settled();
    assert.deepEqual(asked, ["undo", "undo"]);
  });

  test("asks at once again for what was refused or did not arrive", async () => {
    const { add, answer, asked } = queueByHand();
    void add("a hand");
    await settled();
    await answer(false);
    void add("a hand");
    await settled();
    assert.deepEqual(asked, ["a hand", "a hand"]);
  });

  test("asks again for what was asked before something else", async () => {
    const { add, answer, asked } = queueByHand();
    for (const key of ["a", "b", "a"]) void add(key);
    for (let count = 0; count < 3; count += 1) {
      await settled();
      await answer(true);
    }
    assert.deepEqual(asked, ["a", "b", "a"]);
  });
});
