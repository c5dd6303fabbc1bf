// The stream of views: broken, silent, or with stale views.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { FakeStream, fire, json, openBrowser, waitsBetweenTries } from "./browser.mjs";
import { seatView } from "./views.mjs";

/** @import { SeatView } from "#types" */

let browser = openBrowser();
const { Live, stateAfter } = await import("../tock_web/static/js/core/live.js");

/** @type {SeatView[]} */
let views;
/** @type {string[]} */
let states;

function follow() {
  return new Live(
    "seat",
    (view) => views.push(view),
    (state) => states.push(state),
  );
}

/** @param {number} revision */
const view = (revision) => seatView({ revision });
const revisions = () => views.map(({ revision }) => revision);

beforeEach(() => {
  browser = openBrowser();
  views = [];
  states = [];
});

describe("a stream that works", () => {
  test("hands every view on and is live with the first", () => {
    follow();
    const [stream] = FakeStream.opened;
    assert.match(stream.url, /^\/api\/v1\/events\?role=seat&tab=[0-9a-f]{24}$/);
    assert.deepEqual(states, ["connecting"]);
    stream.send("view", view(1), "boot-a.1");
    stream.send("view", view(2), "boot-a.2");
    assert.deepEqual(revisions(), [1, 2]);
    assert.deepEqual(states, ["connecting", "live", "live"]);
  });

  test("shows no view that is older than the one on the screen", () => {
    follow();
    const [stream] = FakeStream.opened;
    stream.send("view", view(5), "boot-a.5");
    stream.send("view", view(3), "boot-a.3");
    assert.deepEqual(revisions(), [5]);
  });

  test("starts over with revisions when the companion has restarted", () => {
    follow();
    const [stream] = FakeStream.opened;
    stream.send("view", view(500), "boot-a.500");
    stream.send("view", view(1), "boot-b.1");
    assert.deepEqual(revisions(), [500, 1]);
  });
});

describe("a stream that falls silent", () => {
  test("is trusted as long as heartbeats come", async () => {
    follow();
    const [stream] = FakeStream.opened;
    for (let beat = 0; beat < 6; beat += 1) {
      await browser.clock.pass(10_000);
      stream.send("hb", { revision: 1 });
    }
    assert.equal(FakeStream.opened.length, 1);
    assert.deepEqual(states, ["connecting"]);
  });

  test("is given up after 25 seconds, reported as lost, and opened again for the same tab", async () => {
    follow();
    const [first] = FakeStream.opened;
    await browser.clock.pass(25_000);
    assert.equal(FakeStream.opened.length, 1);
    await browser.clock.pass(1_500);
    const [, second] = FakeStream.opened;
    assert.ok(first.isClosed);
    assert.equal(second.url, first.url);
    assert.deepEqual(states, ["connecting", "lost"]);
  });

  test("from the start, while answers pass, is held back: the page asks instead until the stream speaks", async () => {
    browser.network.answer = async () => json(view(7), 200, { "X-Tock-Boot": "boot-a" });
    follow();
    await browser.clock.pass(60_000);
    assert.ok(!states.includes("lost"));
    assert.equal(states.at(-1), "polling");
    assert.ok(browser.asked.some(({ path }) => path.includes("held=1")));
    const asked = browser.asked.length;
    FakeStream.opened.at(-1)?.send("view", view(8), "boot-a.8");
    await browser.clock.pass(20_000);
    assert.equal(states.at(-1), "live");
    assert.equal(browser.asked.length, asked);
  });

  test("of a page that nobody sees is left alone until somebody looks again", async () => {
    follow();
    Object.assign(browser.document, { visibilityState: "hidden" });
    await browser.clock.pass(60_000);
    assert.equal(FakeStream.opened.length, 1);
    Object.assign(browser.document, { visibilityState: "visible" });
    fire(browser.document, "visibilitychange");
    assert.equal(FakeStream.opened.length, 2);
    assert.ok(FakeStream.opened[0].isClosed);
  });
});

describe("a stream that breaks", () => {
  test("is bridged by asking for the view, without a word about a short break", async () => {
    browser.network.answer = () => json(view(8), 200, { "X-Tock-Boot": "boot-a" });
    follow();
    FakeStream.opened[0].send("view", view(7), "boot-a.7");
    FakeStream.opened[0].fail();
    await browser.clock.pass(299);
    assert.deepEqual(revisions(), [7, 8]);
    assert.equal(FakeStream.opened.length, 1);
    await browser.clock.pass(1);
    assert.equal(FakeStream.opened.length, 2);
    assert.deepEqual(states, ["connecting", "live"]);
  });

  test("is tried again ever more slowly and never given up", async () => {
    follow();
    assert.deepEqual(await waitsBetweenTries(browser.clock, 6), [300, 700, 1500, 2500, 2500, 2500]);
    assert.equal(states.at(-1), "lost");
  });

  test("is reported as refused while the views themselves still come", async () => {
    browser.network.answer = () => json(view(9), 200, { "X-Tock-Boot": "boot-a" });
    follow();
    FakeStream.opened[0].fail();
    await browser.clock.pass(300);
    FakeStream.opened[1].fail();
    await browser.clock.pass(0);
    assert.equal(states.at(-1), "polling");
  });

  test("of somebody who lost the seat is not opened again", async () => {
    browser.network.answer = () => json({}, 403);
    follow();
    FakeStream.opened[0].fail();
    await browser.clock.pass(20_000);
    assert.equal(FakeStream.opened.length, 1);
    assert.deepEqual(states, ["connecting", "unseated"]);
  });

  test("whose answer comes after the stream is back changes nothing", async () => {
    /** @type {(answer: Response) => void} */
    let reply = () => {};
    browser.network.answer = () => new Promise((resolve) => (reply = resolve));
    follow();
    FakeStream.opened[0].fail();
    await browser.clock.pass(10);
    browser.window.dispatchEvent(new Event("online"));
    FakeStream.opened[1].send("view", view(12), "boot-a.12");
    reply(json(view(11), 200, { "X-Tock-Boot": "boot-b" }));
    await browser.clock.pass(5_000);
    assert.deepEqual(revisions(), [12]);
    assert.equal(FakeStream.opened.length, 2);
  });

  test("that was ended stays ended", async () => {
    const live = follow();
    live.end();
    browser.window.dispatchEvent(new Event("online"));
    await browser.clock.pass(60_000);
    assert.equal(FakeStream.opened.length, 1);
    assert.ok(FakeStream.opened[0].isClosed);
  });
});

test("the report of a failure depends on the answer, the attempt and the wait", () => {
  assert.equal(stateAfter({ ok: true }, 1, 0), null);
  assert.equal(stateAfter({ ok: true }, 2, 0), "polling");
  assert.equal(stateAfter({ ok: false }, 1, 100), "connecting");
  assert.equal(stateAfter({ ok: false }, 1, 1_501), "lost");
  assert.equal(stateAfter({ ok: false }, 2, 0), "lost");
});
