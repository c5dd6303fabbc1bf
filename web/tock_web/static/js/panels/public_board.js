// The live public board, with its sentence, warning, players and last moves.

import { Board } from "../board/board.js";
import { viewPainter } from "../board/overlays.js";
import { bootstrap, part } from "../core/bootstrap.js";
import { later } from "../core/store.js";
import { loadAllWords } from "../core/words.js";
import { lobbyPanel } from "./lobby.js";
import { absentPanel, endingPanel, missingPanel } from "./rare.js";
import { fetched } from "./lazy_panel.js";
import { rulesPanel } from "./rules.js";
import { historyPanel, seatsPanel, textBoard } from "./seats.js";
import { sourcesPanel } from "./sources.js";
import { turnPanel, warningPanel } from "./turn.js";

/** @import { BoardFile, HostView, SeatStyles, SeatName, TableView, WatchView } from "#types" */
/** @import { HostsLobby } from "./lobby_choices.js" */
/** @import { GoOn } from "./rare.js" */

const QUARTER = 90;
const LARGE = matchMedia("(min-width: 960px)");

/**
 * Build the panels of a public page; return the function that draws a view.
 *
 * @param {BoardFile} boardFile
 * @param {SeatStyles} styles
 * @param {object} [actions] given to those who may do more than look
 * @param {((choice: string) => void) | null} [actions.answer]
 * @param {(() => void) | null} [actions.letPass]
 * @param {GoOn | null} [actions.goOn]
 * @param {HostsLobby | null} [actions.lobby]
 * @param {((number: number, yes: boolean) => void) | null} [actions.vote]
 * @param {((seat: SeatName, choice: "computer" | "skip" | "wait") => void) | null} [actions.absent]
 */
export function publicBoard(
  boardFile,
  styles,
  { answer = null, letPass = null, goOn = null, lobby = null, absent = null, vote = null } = {},
) {
  const board = new Board(part("board"), boardFile, styles);
  const paint = viewPainter(board);
  const urgent = [
    turnPanel(part("turn"), styles),
    lobbyPanel(part("lobby"), styles, lobby),
    absentPanel(part("absent"), styles, absent),
    endingPanel(part("ending"), styles, board, goOn),
    missingPanel(board, styles),
    warningPanel(part("warning"), styles, letPass),
    sourcesPanel(part("sources"), { onlyTrouble: true }),
  ];
  const asked = fetched(
    () => import("./questions.js"),
    (questions) => {
      const question = questions.questionPanel(part("question"), styles, answer);
      const proposal = questions.proposalPanel(part("proposal"), vote);
      return (/** @type {HostView | TableView | WatchView} */ view) => {
        question(view, answer !== null);
        proposal(view);
      };
    },
    ({ question, proposal }) => question || proposal,
  );
  const me = fetched(
    () => Promise.all([import("./me.js"), loadAllWords()]),
    ([{ mePanel }]) => mePanel(styles),
    () => bootstrap.session.seat,
  );
  const below = [
    seatsPanel(part("seats"), styles),
    textBoard(part("text-board"), styles),
    historyPanel(part("history"), styles),
    rulesPanel(part("rules")),
  ];
  // The table's screen shows the last moves; on a phone they are a tap away.
  if (LARGE.matches) part("history").querySelector("details")?.setAttribute("open", "");
  const drawBelow = later((/** @type {HostView | TableView | WatchView} */ view) => {
    for (const panel of below) panel(view);
  });
  /** @type {HostView | TableView | WatchView | null} */
  let newest = null;
  document.getElementById("rotate")?.addEventListener("click", () => {
    // Everybody around a tablet should be able to see the board the right way up.
    board.turn(board.layout.angle + (boardFile.zones === 4 ? QUARTER : 360 / boardFile.zones));
    if (newest) paint(newest);
  });
  return (/** @type {HostView | TableView | WatchView} */ view) => {
    newest = view;
    for (const panel of urgent) panel(view);
    asked(view);
    me(view);
    paint(view);
    drawBelow(view);
  };
}
