// The far phone: links, sealed frames, and calls on their way.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { base64url, fromBase64url } from "../tock_web/static/js/far/bytes.js";
import { Calls } from "../tock_web/static/js/far/calls.js";
import { withChanges } from "../tock_web/static/js/far/changes.js";
import { isOlder, welcomed } from "../tock_web/static/js/far/greeting.js";
import { readLink } from "../tock_web/static/js/far/link.js";
import {
  Session,
  kindOf,
  newKeyPair,
  openGreeting,
  roomKeys,
  sealGreeting,
  sessionKeys,
} from "../tock_web/static/js/far/session.js";
import { ON_THE_WAY, reduceFar, standing } from "../tock_web/static/js/far/state.js";
import { SECRET, TABLE, ends } from "./far_ends.mjs";

/** @import { FarCall } from "../tock_web/static/js/far/calls.js" */

describe("a view", () => {
  const cases = JSON.parse(
    readFileSync(new URL("../../tests/data/far/changes.json", import.meta.url), "utf8"),
  );
  for (const { name, old, new: after, changes } of cases) {
    test(`is made of the one before: ${name}`, () => {
      const before = structuredClone(old);
      assert.deepEqual(withChanges(before, changes), after);
      assert.deepEqual(before, old);
    });
  }
});

describe("a session", () => {
  test("carries messages both ways, padded so that their length tells little", async () => {
    const { far, home } = await ends();
    const frame = await far.seal({ ping: 1 });
    assert.deepEqual(await home.open(frame), { ping: 1 });
    assert.equal(frame.length, 18 + 1024 + 16);
    assert.deepEqual(await far.open(await home.seal({ pong: 1 })), { pong: 1 });
  });

  test("takes no frame twice, none that was changed, none of its own and none out of order", async () => {
    const { far, home } = await ends();
    const [first, second, third] = [await far.seal(1), await far.seal(2), await far.seal(3)];
    const changed = first.slice();
    changed[30] ^= 1;
    assert.equal(await home.open(changed), null);
    assert.equal(await far.open(first), null);
    assert.equal(await home.open(first), 1);
    assert.equal(await home.open(first), null);
    assert.equal(await home.open(third), "gap");
    assert.equal(await home.open(second), 2);
  });

  test("begins with greetings that only the link's secret opens", async () => {
    const { keys, hello } = await ends();
    assert.equal(await openGreeting("hello", keys, hello), "hi");
    assert.equal(await openGreeting("welcome", keys, hello), null);
    const others = await roomKeys(TABLE, new Uint8Array(32).fill(8));
    assert.equal(await openGreeting("hello", others, hello), null);
    assert.equal(kindOf(new Uint8Array([2, 1, 0])), null);
    assert.equal(kindOf(new Uint8Array([9, 0, 2, 3])), "plain");
  });
});

describe("the frames of the home", () => {
  /** @type {Record<string, any>} */
  const known = JSON.parse(
    readFileSync(new URL("../../tests/data/far/session.json", import.meta.url), "utf8"),
  );
  const bytes = fromBase64url;
  const own = roomKeys(known.table, bytes(known.secret));

  test("have the keys that the link gives this page too", async () => {
    const keys = await own;
    assert.equal(keys.room, known.room);
    assert.equal(keys.password, known.broker_password);
    const derived = [keys.helloUp, keys.helloDown, keys.chain].map(base64url);
    assert.deepEqual(derived, [known.hello_up, known.hello_down, known.chain]);
    const link = new URL(known.link);
    assert.deepEqual(await readLink(link.hash), { table: known.table, secret: bytes(known.secret) });
  });

  test("open here as they were sealed there, and are sealed the same", async () => {
    const keys = await own;
    for (const [kind, frame] of /** @type {const} */ ([
      ["hello", known.hello],
      ["welcome", known.welcome],
      ["welcome", known.refused],
    ])) {
      assert.equal(await openGreeting(kind, keys, bytes(frame.frame)), frame.text);
      const nonce = bytes(frame.frame).slice(2, 14);
      assert.equal(base64url(await sealGreeting(kind, keys, frame.text, nonce)), frame.frame);
    }
    const ecdh = { name: "ECDH", namedCurve: "P-256" };
    const key = await crypto.subtle.importKey("jwk", known.far_key, ecdh, false, ["deriveBits"]);
    const [hello, welcome] = [bytes(known.hello.frame), bytes(known.welcome.frame)];
    const found = await sessionKeys(keys, key, bytes(JSON.parse(known.welcome.text).key), hello, welcome);
    assert.deepEqual([found.up, found.down, found.id].map(base64url), [known.up, known.down, known.session]);
    const far = new Session(found, keys.room, "up");
    for (const { text, frame } of known.frames_up)
      assert.equal(base64url(await far.seal(JSON.parse(text))), frame, text);
    for (const { text, frame } of known.frames_down)
      assert.deepEqual(await far.open(bytes(frame)), JSON.parse(text), text);
    assert.equal(kindOf(bytes(known.forms_understood)), "plain");
  });

  test("that refuse this phone, or answer another hello, are understood", async () => {
    const greeter = { keys: await own, device: bytes(known.secret), version: "0.3.9", views: 3 };
    const { re } = JSON.parse(known.refused.text);
    const hello = { frame: bytes(known.hello.frame), hash: re, pair: await newKeyPair() };
    const refusal = (/** @type {string} */ refused) =>
      sealGreeting("welcome", greeter.keys, JSON.stringify({ refused, re, version: "0.4.0" }));
    const endings = [];
    for (const why of ["device", "over", "seat_taken", "version"])
      endings.push(await welcomed(greeter, [hello], await refusal(why)));
    assert.deepEqual(endings, ["device", "over", "seat", "older"]);
    assert.equal(await welcomed(greeter, [{ ...hello, hash: "another" }], await refusal("over")), null);
    assert.equal(await welcomed(greeter, [hello], hello.frame), null);
  });
});

describe("a link", () => {
  const whole = `1.${TABLE}.${base64url(SECRET)}.`;

  test("is read with what messengers put around it", async () => {
    const { createHash } = await import("node:crypto");
    const link = whole + createHash("sha256").update(whole.slice(0, -1)).digest("base64url").slice(0, 4);
    for (const text of [link, `#${link}`, `#${link}.`, `#${link})”`, `#${link.replaceAll(".", "%2E")}`])
      assert.deepEqual(await readLink(text), { table: TABLE, secret: SECRET }, text);
    for (let length = 3; length < link.length; length += 1)
      assert.equal(await readLink(link.slice(0, length)), "cut-off");
  });

  test("of another form, or a text that is not one, is told apart from one that was cut off", async () => {
    for (const text of ["", "#", "#top", "#%E0%A4%A", "#<script>", `#${"x".repeat(9999)}`])
      assert.equal(await readLink(text), "none", text);
    assert.equal(await readLink(`2.${TABLE}.later`), "another-form");
    assert.equal(await readLink(`${whole}abcd`), "cut-off");
  });
});

describe("calls on their way", () => {
  Object.assign(globalThis, { location: { origin: "https://relay.example" } });
  function open() {
    const line = { isUp: true, sent: /** @type {FarCall[]} */ ([]) };
    const calls = new Calls(
      (call) => line.sent.push(call),
      () => line.isUp,
    );
    return { line, calls };
  }

  test("wait through a cut with their id, as what was tapped, and what only asks fails at once", async () => {
    const { line, calls } = open();
    calls.boot = "b1";
    const question = calls.fetch("/api/v1/rules?lang=fr");
    const move = calls.fetch("/api/v1/request", { method: "POST", body: '{"kind":"move"}' });
    assert.deepEqual(line.sent[0].query, { lang: "fr" });
    line.isUp = false;
    calls.cut();
    assert.equal((await question).status, 503);
    await assert.rejects(calls.fetch("/api/v1/rules"));
    assert.notEqual(calls.waitingSince(), null);
    calls.boot = "b2";
    calls.resend();
    const [, first, again] = line.sent;
    assert.deepEqual(again, first);
    assert.deepEqual([again.path, again.body, again.boot], ["request", { kind: "move" }, "b1"]);
    calls.take({ id: again.id, status: 409, data: { ok: false, code: "stale" } });
    const answer = await move;
    assert.equal(answer.status, 409);
    assert.deepEqual(await answer.json(), { ok: false, code: "stale" });
    assert.equal(calls.waitingSince(), null);
    calls.take({ id: again.id, status: 200 });
  });

  test("put a film together from its pieces, and give a record as text", async () => {
    const { line, calls } = open();
    const film = calls.fetch("/api/v1/ending/film.gif?lang=fr");
    calls.take({ id: line.sent[0].id, status: 200, data: { base64: btoa("GIF"), next: 3, total: 6 } });
    for (let round = 0; round < 9; round += 1) await Promise.resolve();
    assert.deepEqual(line.sent[1].query, { lang: "fr", offset: "3" });
    calls.take({ id: line.sent[1].id, status: 200, data: { base64: btoa("89a"), next: null, total: 6 } });
    const answer = await film;
    assert.equal(answer.headers.get("Content-Type"), "image/gif");
    assert.equal(await answer.text(), "GIF89a");
    const record = calls.fetch("/api/v1/record.txt");
    calls.take({ id: line.sent[2].id, status: 200, boot: "b1", data: { text: "1. P0 AS" } });
    assert.equal(await (await record).text(), "1. P0 AS");
  });
});

test("bytes have one spelling as text", () => {
  assert.deepEqual(fromBase64url(base64url(SECRET)), SECRET);
  for (const text of ["AB", "A=", "+/", "A"]) assert.throws(() => fromBase64url(text), text);
});

test("a page knows which of two versions is older", () => {
  assert.equal(isOlder("0.4.0", "0.4.1"), true);
  assert.equal(isOlder("0.10.0", "0.9.9"), false);
  assert.equal(isOlder("0.4.0.dev0", "1.0"), true);
});

describe("how things stand", () => {
  const live = reduceFar(ON_THE_WAY, { type: "line", line: { kind: "live", since: 0 } });
  const seated = reduceFar(live, { type: "seated" });

  test("is worth no word while all is well, and one when an answer keeps her waiting", () => {
    assert.equal(standing(seated, 0).word, null);
    const waiting = reduceFar(seated, { type: "waiting", since: 1_000 });
    assert.equal(standing(waiting, 1_500).word, null);
    assert.equal(standing(waiting, 1_800).word, "way");
  });

  test("has a word while the line is cut, and for good when the link opens nothing", () => {
    const cut = reduceFar(seated, { type: "line", line: { kind: "cut", since: 5 } });
    assert.deepEqual(standing(cut, 9), { word: "cut", since: 5, isFinal: false });
    const over = reduceFar(cut, { type: "line", line: { kind: "over", since: 5 } });
    assert.equal(standing(over, 9).isFinal, true);
    assert.equal(standing(reduceFar(seated, { type: "faulty", fault: "cut-off" }), 0).word, "fault");
  });
});
