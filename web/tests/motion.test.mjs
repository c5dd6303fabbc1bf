// Pawns on their way, and the numbers of the holes that sentences name.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { boardFile, openBrowser } from "./browser.mjs";
import { move, seatView, warning } from "./views.mjs";

const { document } = openBrowser();
const { Board } = await import("../tock_web/static/js/board/board.js");
const { Layout } = await import("../tock_web/static/js/board/layout.js");
const { walksBetween, wayOf } = await import("../tock_web/static/js/board/motion.js");
const { viewPainter } = await import("../tock_web/static/js/board/overlays.js");
const { seatStyles } = await import("../tock_web/static/js/board/shapes.js");
const { numberOf } = await import("../tock_web/static/js/board/tags.js");

const layout = new Layout(boardFile);
const styles = seatStyles(boardFile);

/** The holes that a pawn passes. @type {(from: string, to: string) => (string | undefined)[]} */
function way(from, to) {
  return wayOf(layout, { from, to }).map((point) => layout.nearest(point).place?.hole.id);
}

describe("the way of a pawn", () => {
  test("leads from hole to hole, forwards, backwards and past the end of the numbers", () => {
    assert.deepEqual(way("T4", "T7"), ["T4", "T5", "T6", "T7"]);
    assert.deepEqual(way("T4", "T2"), ["T4", "T3", "T2"]);
    assert.deepEqual(way("T71", "T1"), ["T71", "T0", "T1"]);
  });

  test("turns into the home of its seat at the entrance", () => {
    assert.deepEqual(way("T69", "P0-H2"), ["T69", "T70", "P0-H1", "P0-H2"]);
    assert.deepEqual(way("T14", "P1-H1"), ["T14", "T15", "T16", "P1-H1"]);
  });

  test("is straight to and from a camp, and for a pawn that was put elsewhere", () => {
    assert.deepEqual(way("P0-C1", "T0"), ["P0-C1", "T0"]);
    assert.deepEqual(way("T0", "T36"), ["T0", "T36"]);
  });
});

describe("who went where", () => {
  const [red, blue] = ["P0", "P1"];

  test("two that change places cross each other", () => {
    const before = [
      { hole: "T4", seat: red },
      { hole: "T26", seat: blue },
    ];
    const after = [
      { hole: "T4", seat: blue },
      { hole: "T26", seat: red },
    ];
    assert.deepEqual(walksBetween(before, after, []), [
      { from: "T26", to: "T4" },
      { from: "T4", to: "T26" },
    ]);
  });

  test("of two pawns of one colour each goes as the move's arrows say", () => {
    const before = [
      { hole: "T4", seat: red },
      { hole: "T20", seat: red },
    ];
    const after = [
      { hole: "T23", seat: red },
      { hole: "T8", seat: red },
    ];
    const arrows = [
      { from: "T4", to: "T8" },
      { from: "T20", to: "T23" },
    ];
    assert.deepEqual(walksBetween(before, after, arrows), [
      { from: "T20", to: "T23" },
      { from: "T4", to: "T8" },
    ]);
  });

  test("setting up the board again moves no pawn", () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ hole: `T${index}`, seat: red }));
    const elsewhere = many.map(({ seat }, index) => ({ hole: `T${index + 20}`, seat }));
    assert.deepEqual(walksBetween(many, elsewhere, []), []);
  });

  test("pawns that stay are not drawn again", () => {
    const board = new Board(document.createElement("div"), boardFile, styles);
    board.drawPawns({ T4: red, T26: blue });
    const [first] = board.layers.pawns.children;
    board.drawPawns({ T4: red, T27: blue });
    assert.equal(board.layers.pawns.children.length, 2);
    assert.equal(board.layers.pawns.children[0], first);
  });
});

describe("numbers beside holes", () => {
  /** @param {import("#types").BoardView} view */
  const tags = (view) => {
    const board = new Board(document.createElement("div"), boardFile, styles);
    viewPainter(board)(view);
    return [...board.layers.tags.children].map(({ textContent }) => textContent);
  };

  test("are those printed on the board, and none where a hole has a name", () => {
    const numbers = ["T0", "T8", "T26", "T17", "P1-H2", "P0-C1"].map((id) => {
      const place = layout.at(id);
      return place && numberOf(layout, place.hole);
    });
    assert.deepEqual(numbers, [null, 8, 8, 17, 2, null]);
  });

  test("stand where the moves to choose from begin and end", () => {
    assert.deepEqual(tags(seatView({ legal_moves: [move("T4", "T10")] })), ["4", "10"]);
  });

  test("stand where a warning says that pawns belong", () => {
    const view = seatView({ warning: warning({ wrong: ["T10"], right: ["T4"] }) });
    assert.deepEqual(tags(view), ["10", "4"]);
  });

  test("are left out where there would be too many", () => {
    const moves = Array.from({ length: 8 }, (_, index) => move(`T${index + 1}`, `T${index + 20}`));
    assert.deepEqual(tags(seatView({ legal_moves: moves })), []);
  });
});
