import assert from "node:assert/strict";
import { test } from "node:test";

import { boardFile } from "./browser.mjs";
import { addressOf, askedOf, homeCounts } from "../tock_web/static/js/state/overlay.js";

test("the address of the page for broadcasts says what it shows", () => {
  const asked = { show: ["turn", "last"], at: "top-right", size: 60 };
  assert.deepEqual(askedOf(addressOf(asked).replace("/overlay", "")), asked);
});

test("an address that is wrong shows all, as usual", () => {
  const usual = askedOf("");
  assert.equal(usual.show.length, 4);
  for (const wrong of ["?at=middle", "?size=x", "?size=0"]) assert.deepEqual(askedOf(wrong), usual);
  assert.equal(askedOf("?size=9999").size, 100);
});

test("pawns at home count for their own seat", () => {
  const home = boardFile.holes.filter(
    (/** @type {import("#types").Hole} */ { kind, seat }) => kind === "home" && seat === "P0",
  );
  const standing = { [home[0].id]: "P0", [home[1].id]: "P0", T1: "P0" };
  assert.deepEqual(homeCounts(boardFile, standing), { P0: 2 });
});
