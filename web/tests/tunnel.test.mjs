// The far phone's tunnel and bytes that nobody has sealed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Tunnel } from "../tock_web/static/js/far/tunnel.js";
import { SECRET, TABLE, ends } from "./far_ends.mjs";

describe("frames that nobody has sealed", () => {
  const bare = [
    ...[new Uint8Array([1, 0, 2, 3]), new Uint8Array([9, 0, 1, 1]), new Uint8Array([2, 3, 120])],
    ...[new Uint8Array([]), new Uint8Array([1, 1, 0]), new Uint8Array([1, 2]), new Uint8Array(80).fill(1)],
  ];

  test("end neither a session nor the tries for one", async () => {
    const { far, home, keys } = await ends();
    /** @type {string[]} */
    const seen = [];
    const place = { url: "", table: TABLE, keys, device: SECRET, version: "1", views: 1 };
    const tunnel = new Tunnel(place, ({ kind }) => seen.push(kind));
    for (const frame of bare) await tunnel.take(frame);
    assert.deepEqual(seen, ["older", "newer"], "a sentence alone");
    assert.equal(tunnel.hasEnded, false);
    tunnel.begin(far);
    for (const frame of [...bare, (await home.seal({ pong: 1 })).slice(0, 12)]) await tunnel.take(frame);
    tunnel.cut();
    for (const frame of bare) await tunnel.take(frame);
    assert.deepEqual(seen, ["older", "newer", "live", "cut"]);
    assert.equal(tunnel.hasEnded, false);
  });
});
