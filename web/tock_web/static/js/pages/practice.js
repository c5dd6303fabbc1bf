// Lessons on one phone alone: each tap is added to those before, and the companion answers with the view after them.

import { Board } from "../board/board.js";
import { angleFor } from "../board/layout.js";
import { moveAt } from "../board/move_taps.js";
import { viewPainter } from "../board/overlays.js";
import { seatStyles } from "../board/shapes.js";
import { post } from "../core/api.js";
import { bootstrap, part } from "../core/bootstrap.js";
import { valueStore } from "../core/store.js";
import { onLanguage } from "../core/words.js";
import { bar, granted } from "../panels/frame.js";
import { lessonPanel } from "../panels/lesson.js";
import { movesPanel } from "../panels/moves.js";
import { turnPanel } from "../panels/turn.js";

/** @import { Point, RequestArguments, SeatName, SeatView } from "#types" */
/** @typedef {{ lesson: number, taps: string[], view: SeatView | null }} Lesson */

const { board: boardFile, session } = bootstrap;
const styles = seatStyles(boardFile);
const showState = bar();
const board = new Board(part("board"), boardFile, styles, {
  angle: angleFor(boardFile, session.seat),
  onTap: tapped,
});
const paint = viewPainter(board);
const drawTurn = turnPanel(part("turn"), styles);
const drawMoves = movesPanel(part("moves"), {
  choose: () => {},
  play: (move) => void tap(move.text),
  discard: () => {},
  endTurn: () => {},
  takeBack: () => void go(store.state.lesson, []),
});
/** @type {Map<SeatName, ReturnType<typeof lessonPanel>>} */
const panels = new Map();
const store = valueStore(/** @type {Lesson} */ ({ lesson: 1, taps: [], view: null }), draw);
/** The panel of the one learner, whom the first answer names. @param {SeatName} me */
function lessonOf(me) {
  const known = panels.get(me) ?? lessonPanel(part("practice"), me, ask);
  panels.set(me, known);
  return known;
}

/** @param {Lesson} state */
function draw({ view }) {
  if (!view) return;
  paint(view);
  drawTurn(view);
  drawMoves(view, null);
  lessonOf(view.seat)(view);
}

/** @type {(lesson: number, taps: string[]) => Promise<boolean>} */
async function go(lesson, taps) {
  const answer = await post("practice", { lesson, taps });
  showState(answer.status === 0 ? "lost" : "live");
  if (granted(answer)) store.dispatch({ lesson, taps, view: answer.data });
  return answer.ok;
}

/** @param {string} what a card or a move */
function tap(what) {
  const { lesson, taps } = store.state;
  return go(lesson, [...taps, what]);
}

/** What a lesson asks of a table. @param {RequestArguments} asked */
async function ask(...[kind, data]) {
  const { lesson, view } = store.state;
  if (kind === "play_card" && data && "card" in data) return tap(String(data.card));
  if (kind === "practise" && view && lesson < (view.practice?.lessons ?? 0)) return go(lesson + 1, []);
  location.assign(session.seat ? "/seat" : "/");
  return true;
}

/** @param {Point} point */
function tapped(point) {
  const moves = store.state.view?.legal_moves ?? [];
  const index = moveAt(board, moves, point, null);
  if (index !== null) void tap(moves[index].text);
}

onLanguage(() => draw(store.state));
await go(1, []);
