// The page for broadcasts: transparent, its parts, place and size from the address, the last move again in slow motion.

import { Board } from "../board/board.js";
import { viewPainter } from "../board/overlays.js";
import { pawnIcon } from "../board/shapes.js";
import { part } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { start } from "../core/start.js";
import { drawer } from "../core/store.js";
import { language, say } from "../core/words.js";
import { seatName } from "../panels/seats.js";
import { turnPanel } from "../panels/turn.js";
import { askedOf, homeCounts } from "../state/overlay.js";

/** @import { TableView } from "#types" */

const AGAIN_AFTER_MS = 2_000;
const SLOW = 0.3;

const { boardFile, styles, follow } = start();
const { show, at, size } = askedOf(location.search);
for (const name of /** @type {const} */ (["board", "turn", "score", "last"])) {
  part(`overlay-${name}`).hidden = !show.includes(name);
}
document.body.dataset.at = at;
document.body.style.setProperty("--overlay-size", `${size}vmin`);

const board = new Board(part("overlay-board"), boardFile, styles);
const paint = viewPainter(board);
const drawTurn = turnPanel(part("overlay-turn"), styles);
const drawScore = drawer(part("overlay-score"), (/** @type {TableView} */ view) => {
  const home = homeCounts(boardFile, view.holes);
  return view.seats.map((entry) =>
    h(
      "li",
      pawnIcon(styles.get(entry.seat)),
      h("span", seatName(entry, styles)),
      h("b", String(home[entry.seat] ?? 0)),
    ),
  );
});
const drawLast = drawer(
  part("overlay-last"),
  (/** @type {TableView} */ { last_move: last }) => last && say(last.label),
);
const shown = { newest: /** @type {TableView | null} */ (null) };

follow("table", (view) => {
  const before = shown.newest;
  shown.newest = view;
  paint(view);
  drawTurn(view);
  drawScore([language(), view.seats, view.holes], view);
  drawLast([language(), view.last_move], view);
  if (before && view.last_move && view.last_move.seq !== before.last_move?.seq) {
    setTimeout(() => again(before, view), AGAIN_AFTER_MS);
  }
});

/** Walk the last move once more, slowly, unless another has come. @param {TableView} before @param {TableView} view */
function again(before, view) {
  if (shown.newest?.last_move?.seq !== view.last_move?.seq) return;
  board.drawPawns(before.holes);
  for (const animation of board.svg.getAnimations({ subtree: true })) animation.finish();
  board.drawPawns(view.holes, new Set(), view.last_move?.arrows);
  for (const animation of board.svg.getAnimations({ subtree: true })) animation.updatePlaybackRate(SLOW);
}
