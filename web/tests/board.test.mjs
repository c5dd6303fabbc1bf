// From the millimetres of a board file to the shapes on the screen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { boardFile, openBrowser } from "./browser.mjs";
import { move, seatView, warning } from "./views.mjs";

const { document } = openBrowser();
const { Board } = await import("../tock_web/static/js/board/board.js");
const { Layout, angleFor, spreadHoles } = await import("../tock_web/static/js/board/layout.js");
const { drawMoves, targetsOf, viewPainter } = await import("../tock_web/static/js/board/overlays.js");
const { drawTags } = await import("../tock_web/static/js/board/tags.js");
const { seatStyles } = await import("../tock_web/static/js/board/shapes.js");

const styles = seatStyles(boardFile);
const SIDE_MM = boardFile.size[0];

function newBoard(angle = 0) {
  return new Board(document.createElement("div"), boardFile, styles, { angle });
}

/** @type {(node: Element) => [x: number, y: number]} */
function placeOf(node) {
  const [, x, y] = /translate\(([\d.-]+) ([\d.-]+)\)/.exec(node.getAttribute("transform") ?? "") ?? [];
  return [Number(x), Number(y)];
}

/**
 * @param {number} actual
 * @param {number} expected
 */
function assertNear(actual, expected, tolerance = 0.01) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

describe("layout", () => {
  test("turns a board about its middle and back again", () => {
    const layout = new Layout(boardFile, 90);
    const corner = layout.toScreen({ x: 0, y: 0 });
    assertNear(corner.x, SIDE_MM);
    assertNear(corner.y, 0);
    for (const angle of [0, 30, 90, 225]) {
      const turned = new Layout(boardFile, angle);
      const back = turned.toBoard(turned.toScreen({ x: 12, y: 345 }));
      assertNear(back.x, 12);
      assertNear(back.y, 345);
    }
  });

  test("brings the home of each seat nearest to the lower edge", () => {
    for (const seat of ["P0", "P1", "P2", "P3"]) {
      const layout = new Layout(boardFile, angleFor(boardFile, seat));
      const lowest = ["P0", "P1", "P2", "P3"]
        .map((other) => ({ other, y: Math.max(...layout.ofKind("home", other).map(({ y }) => y)) }))
        .sort((a, b) => b.y - a.y)[0];
      assert.equal(lowest.other, seat);
    }
  });

  test("leaves the board as it is for those who have no seat", () => {
    assert.equal(angleFor(boardFile, null), 0);
  });

  test("has a margin around every hole", () => {
    const { box, places, pitch } = new Layout(boardFile, 45);
    for (const { x, y } of places.values()) {
      assert.ok(x - pitch >= box.left && x + pitch <= box.left + box.width);
      assert.ok(y - pitch >= box.top && y + pitch <= box.top + box.height);
    }
  });

  test("lists holes along the way and finds the nearest", () => {
    const layout = new Layout(boardFile);
    const track = layout.ofKind("track");
    assert.deepEqual(
      track.map(({ hole }) => hole.id),
      Array.from({ length: 72 }, (_, index) => `T${index}`),
    );
    const { x, y } = track[5];
    const { place, distance } = layout.nearest({ x: x + 1, y });
    assert.equal(place?.hole.id, "T5");
    assertNear(distance, 1);
  });

  test("asks for four holes on four sides when the camera is to find the board", () => {
    const layout = new Layout(boardFile);
    const places = spreadHoles(boardFile.holes).map((id) => layout.at(id));
    assert.equal(new Set(places).size, 4);
    const xs = places.map((place) => place?.x ?? NaN);
    const ys = places.map((place) => place?.y ?? NaN);
    assert.ok(Math.max(...xs) - Math.min(...xs) > SIDE_MM / 2);
    assert.ok(Math.max(...ys) - Math.min(...ys) > SIDE_MM / 2);
  });
});

describe("styles", () => {
  test("give every seat a mark of its own, also where colours have none", () => {
    const colors = { P0: "brown", P1: "red", P2: "no such colour", P3: "red" };
    const marks = [...seatStyles({ zones: 4, colors }).values()].map(({ mark }) => mark);
    assert.equal(new Set(marks).size, 4);
    assert.equal(marks[1], "dot");
    assert.ok(!marks.includes(undefined));
  });
});

describe("board", () => {
  test("draws each hole once, and an area for the finger above it", () => {
    const board = newBoard();
    assert.equal(board.layers.holes.querySelectorAll(".hole").length, boardFile.holes.length);
    assert.equal(board.layers.hits.children.length, boardFile.holes.length);
    const area = board.layers.hits.querySelector("[data-testid=hole-T20]");
    const place = board.layout.at("T20");
    assert.equal(area?.getAttribute("cx"), place?.x.toFixed(2));
    assert.equal(area?.getAttribute("cy"), place?.y.toFixed(2));
  });

  test("draws pawns in their holes, those that are not seen faint", () => {
    const board = newBoard(90);
    board.drawPawns({ T4: "P0", T26: "P1" }, new Set(["T26"]));
    const [first, second] = board.layers.pawns.children;
    const place = board.layout.at("T4");
    assert.deepEqual(placeOf(first), [Number(place?.x.toFixed(2)), Number(place?.y.toFixed(2))]);
    assert.equal(first.getAttribute("class"), "pawn");
    assert.equal(second.getAttribute("class"), "pawn faint");
  });

  test("says in the hit areas who stands where, and no longer stands there", () => {
    const board = newBoard();
    board.markPawns({ T4: "P0" });
    board.markPawns({ T9: "P0" });
    assert.equal(board.hits.get("T4")?.getAttribute("data-pawn"), "");
    assert.equal(board.hits.get("T9")?.getAttribute("data-pawn"), "P0");
  });

  test("shows its lower middle larger when zoomed", () => {
    const board = newBoard();
    const whole = board.svg.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
    board.zoom(true);
    const part = board.svg.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
    assertNear(part[2], whole[2] * 0.6);
    assertNear(part[0] + part[2] / 2, whole[0] + whole[2] / 2);
    assertNear(part[1] + part[3], whole[1] + whole[3]);
  });
});

describe("moves on the board", () => {
  const moves = [
    move("T4", "T10"),
    move("T8", "T10", { captures: [{ seat: "P1", hole: "T10" }] }),
    move("T4", "T14", { arrows: [{ from: "T4", to: "T14", seat: "P0", kind: "swap" }] }),
  ];

  test("several that end in one hole share its ring and their numbers", () => {
    const targets = targetsOf(moves, moves);
    assert.deepEqual(targets.get("T10"), { numbers: [1, 2], captured: true, swap: false });
    assert.deepEqual(targets.get("T14"), { numbers: [3], captured: false, swap: true });
  });

  test("captures, swaps and empty holes have rings of different kinds", () => {
    const board = newBoard();
    drawMoves(board, moves, null);
    const kinds = [...board.layers.targets.children].map((node) => node.getAttribute("class"));
    assert.deepEqual(kinds, ["target capture", "target swap"]);
    assert.equal(board.layers.path.querySelectorAll(".arrow").length, 3);
    assert.equal(board.layers.targets.querySelector("text")?.textContent, "1·2");
  });

  test("more than three draw no arrows, which would hide the board", () => {
    const board = newBoard();
    drawMoves(board, [...moves, move("T20", "T21")], null);
    assert.equal(board.layers.path.children.length, 0);
    assert.equal(board.layers.targets.children.length, 3);
  });

  test("one that is chosen is shown alone, the parts of a seven numbered", () => {
    const board = newBoard();
    const seven = move("T4", "T7", {
      targets: ["T7", "T30"],
      arrows: [
        { from: "T4", to: "T7", seat: "P0", kind: "move" },
        { from: "T26", to: "T30", seat: "P0", kind: "move" },
      ],
    });
    drawMoves(board, [...moves, seven], 3);
    assert.equal(board.layers.targets.children.length, 2);
    const steps = [...board.layers.path.querySelectorAll(".step text")].map((node) => node.textContent);
    assert.deepEqual(steps, ["1", "2"]);
  });
});

describe("a painted view", () => {
  test("shows the way back instead of moves while the board is wrong", () => {
    const board = newBoard();
    const step = { seat: "P0", from: "T64", to: "T10", from_hole: "T64", to_hole: "T10" };
    const repair = [{ ...step, sentence: { fr: "", en: "" } }];
    const view = seatView({ legal_moves: [move("T4", "T10")], warning: warning({ repair }) });
    viewPainter(board)(view);
    assert.equal(board.layers.targets.children.length, 0);
    const rings = [...board.layers.repair.querySelectorAll(".mend")].map((node) =>
      node.getAttribute("class"),
    );
    assert.deepEqual(rings, ["mend right", "mend wrong"]);
    assert.equal(board.layers.repair.querySelectorAll(".arrow").length, 1);
  });

  test("shows what the table sees beside what was accepted", () => {
    const board = newBoard();
    const seen = {
      T4: { state: /** @type {const} */ ("empty"), seat: null },
      T9: { state: /** @type {const} */ ("pawn"), seat: "P0" },
      T40: { state: /** @type {const} */ ("unknown"), seat: null },
    };
    viewPainter(board)(seatView({ seen }));
    assert.equal(board.layers.pawns.querySelectorAll(".faint").length, 1);
    const shapes = [...board.layers.seen.children].map((node) => node.getAttribute("class"));
    assert.deepEqual(shapes, ["pawn ghost", "hatch"]);
  });

  test("has whole numbers beside all holes, those at its edges too", () => {
    const size = 11.5 / 0.5;
    for (const angle of [0, 90, 180, 270]) {
      const board = newBoard(angle);
      board.scale = 0.5;
      const { left, top, width, height } = board.layout.box;
      for (const id of board.layout.places.keys()) {
        drawTags(board, new Set([id]));
        const tag = board.layers.tags.firstElementChild;
        if (!tag) continue;
        const [x, y] = [Number(tag.getAttribute("x")), Number(tag.getAttribute("y")) - size * 0.36];
        const [halfWidth, halfHeight] = [size * (tag.textContent.length > 1 ? 0.7 : 0.4), size * 0.5];
        assert.ok(x - halfWidth > left && x + halfWidth < left + width, id);
        assert.ok(y - halfHeight > top && y + halfHeight < top + height, id);
      }
    }
  });

  test("is not drawn again when nothing has changed", () => {
    const board = newBoard();
    const paint = viewPainter(board);
    paint(seatView());
    const pawns = [...board.layers.pawns.children];
    paint(seatView({ revision: 2 }));
    assert.deepEqual([...board.layers.pawns.children], pawns);
  });
});
