// The live board as everybody may see it, with its sentence, warning, players and last moves.

import { later } from "../core/dom.js";
import { part } from "../core/start.js";
import { Board } from "../board/board.js";
import { viewPainter } from "../board/show.js";
import { historyPanel } from "./history.js";
import { proposalPanel } from "./proposal.js";
import { questionPanel } from "./question.js";
import { rulesPanel } from "./rules.js";
import { seatsPanel } from "./seats.js";
import { sourcesPanel } from "./sources.js";
import { textBoard } from "./textboard.js";
import { turnPanel } from "./turn.js";
import { warningPanel } from "./warning.js";

const QUARTER = 90;

/** Build the panels of a public page; return the function that draws a view. Who may answer questions gives `answer`. */
export function publicBoard(boardFile, looks, root, answer = null) {
  const board = new Board(root, boardFile, looks);
  const paint = viewPainter(board);
  const panels = [
    turnPanel(part("turn"), looks),
    warningPanel(part("warning"), looks),
    questionPanel(part("question"), answer),
    answer === null && proposalPanel(part("proposal")),
    sourcesPanel(part("sources"), { onlyTrouble: true }),
  ].filter(Boolean);
  const below = [
    seatsPanel(part("seats"), looks),
    textBoard(part("text-board"), looks),
    historyPanel(part("history"), looks),
    rulesPanel(part("rules")),
  ];
  const around = later((view) => below.forEach((panel) => panel(view)));
  let newest = null;
  part("rotate")?.addEventListener("click", () => {
    // So that everybody around a tablet gets the board the right way up.
    board.turn(board.layout.angle + (boardFile.zones === 4 ? QUARTER : 360 / boardFile.zones));
    if (newest) paint(newest);
  });
  return (view) => {
    newest = view;
    for (const panel of panels) panel(view, answer !== null);
    paint(view);
    around(view);
  };
}
