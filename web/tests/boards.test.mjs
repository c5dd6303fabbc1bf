// The boards that the host may choose from.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

const { NO_BOARDS, reduceBoardList } = await import("../tock_web/static/js/state/board_list.js");

/** @param {string} key */
const board = (key) => ({ key, name: key, zones: 4, holes: 105, own: true, in_use: false });

describe("the list of boards", () => {
  const listed = reduceBoardList(NO_BOARDS, { type: "listed", rows: [board("oak"), board("ash")] });

  test("lays a board at one tap where no game is under way, and at the second where one would end", () => {
    const calm = reduceBoardList(listed, { type: "chosen", key: "oak", endsGame: false });
    assert.ok(calm.isLaying);
    const asked = reduceBoardList(listed, { type: "chosen", key: "oak", endsGame: true });
    assert.deepEqual([asked.isLaying, asked.sure], [false, "oak"]);
    const other = reduceBoardList(asked, { type: "chosen", key: "ash", endsGame: true });
    assert.deepEqual([other.isLaying, other.sure], [false, "ash"]);
    assert.ok(reduceBoardList(other, { type: "chosen", key: "ash", endsGame: true }).isLaying);
  });

  test("asks about one thing at a time, and about none after a refusal", () => {
    const naming = reduceBoardList(listed, { type: "renaming", key: "oak" });
    const removing = reduceBoardList(naming, { type: "removing", key: "ash" });
    assert.deepEqual([removing.renaming, removing.removing], [null, "ash"]);
    const calm = reduceBoardList(removing, { type: "dropped" });
    assert.deepEqual([calm.renaming, calm.removing, calm.rows.length], [null, null, 2]);
    const laying = reduceBoardList(calm, { type: "chosen", key: "oak", endsGame: false });
    assert.ok(!reduceBoardList(laying, { type: "refused" }).isLaying);
  });
});
