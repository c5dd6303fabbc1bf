// A player's phone.

import { post, wish } from "../core/api.js";
import { later, write } from "../core/dom.js";
import { announce } from "../core/signals.js";
import { part, start } from "../core/start.js";
import { t } from "../core/words.js";
import { Board } from "../board/board.js";
import { angleFor } from "../board/layout.js";
import { viewPainter } from "../board/show.js";
import { correctPanel } from "../panels/correct.js";
import { handPanel } from "../panels/hand.js";
import { hintPanel } from "../panels/hint.js";
import { historyPanel } from "../panels/history.js";
import { movesPanel } from "../panels/moves.js";
import { proposalPanel } from "../panels/proposal.js";
import { questionPanel } from "../panels/question.js";
import { replayPanel } from "../panels/replay.js";
import { rulesPanel } from "../panels/rules.js";
import { seatsPanel } from "../panels/seats.js";
import { settingsPanel } from "../panels/settings.js";
import { sourcesPanel } from "../panels/sources.js";
import { textBoard } from "../panels/textboard.js";
import { granted } from "../panels/toast.js";
import { turnPanel } from "../panels/turn.js";
import { warningPanel } from "../panels/warning.js";
import { wishesPanel } from "../panels/wishes.js";

/** Two targets closer than this on the screen are told apart by the list, not by the finger. */
const FINGER_PX = 44;

const { boardFile, looks, session, follow } = start();
let view = null;
let chosen = null;
/** The move that a hint points at. */
let hinted = null;
/** Wishes on their way. */
const pending = new Set();
let queue = Promise.resolve();

/** Send wishes one after the other; the same one twice is a double tap and goes once. */
function send(kind, data = {}) {
  const key = JSON.stringify([kind, data]);
  if (pending.has(key)) return;
  pending.add(key);
  document.body.classList.add("busy");
  const { revision } = view;
  queue = queue.then(async () => {
    granted(await wish(kind, data, { revision }));
    pending.delete(key);
    document.body.classList.toggle("busy", pending.size > 0);
  });
}

function choose(number) {
  chosen = number;
  followed.redraw();
}

function play(move) {
  send("move", { text: move.text });
}

/** A touch on the board means the nearest legal target; where several are near, the list decides. */
function tapped(point) {
  const moves = view?.legal_moves ?? [];
  const reach = FINGER_PX * board.unitsPerPixel();
  const near = moves
    .map((move, index) => ({
      index,
      ...board.layout.nearest(point, move.targets.map((id) => board.layout.at(id)).filter(Boolean)),
    }))
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance);
  if (!near.length) {
    choose(null);
    return;
  }
  // The nearest one is shown; touching again walks on to the next that is near.
  const at = near.findIndex(({ index }) => index === chosen);
  choose(near[(at + 1) % near.length].index);
}

const angle = angleFor(boardFile, session.seat);
const board = new Board(part("board"), boardFile, looks, { angle, onTap: tapped });
const paint = viewPainter(board);
const turn = turnPanel(part("turn"), looks);
const warning = warningPanel(part("warning"), looks);
const question = questionPanel(part("question"), (choice) => send("answer", { choice }));
const hand = handPanel(part("cards"), {
  lay: (card) => send("play_card", { card }),
  whole: (how, cards) => send(how === "throw" ? "throw_hand" : "discard", { cards }),
  tell: (cards) => send("hand_set", { cards }),
  deal: () => send("deal"),
  photos: session.photos,
});
const moves = movesPanel(part("moves"), { choose, play, wish: send });
const hint = hintPanel(part("hints"), {
  point: (best) => {
    hinted = best;
    if (view) show();
  },
});
const seats = seatsPanel(part("seats"), looks);
const inWords = textBoard(part("text-board"), looks);
const history = historyPanel(part("history"), looks);
const rules = rulesPanel(part("rules"));
const trouble = sourcesPanel(part("sources"), { onlyTrouble: true });
const wishes = wishesPanel(part("wishes"), looks, (number, yes) => send("answer_seat", { number, yes }));
const proposal = proposalPanel(part("proposal"), (number, yes) => send("vote_back", { number, yes }));
const correct = correctPanel(part("correct"), boardFile, looks, {
  angle,
  send: (changes) => send("correct", { changes }),
});
replayPanel(part("replay"), boardFile, looks, { angle, propose: (to) => send("propose_back", { to }) });
const decide = part("decide");
const undo = document.querySelector("[data-testid=undo]");

decide.addEventListener("click", () => send("decide_now"));
undo.addEventListener("click", () => send("undo"));
part("zoom").addEventListener("click", () => {
  board.zoom(!board.isZoomed);
  part("zoom").setAttribute("aria-pressed", String(board.isZoomed));
});
settingsPanel(part("settings"));
part("leave").addEventListener("click", async (event) => {
  // A seat is not lost by one careless touch.
  if (event.target.textContent !== t("leave-sure")) {
    event.target.textContent = t("leave-sure");
    return;
  }
  followed.close();
  if (granted(await post("leave"))) location.assign("/");
  else location.reload();
});

/** Draw the board; a hint is drawn like a chosen move. */
function show() {
  const at = view.legal_moves.findIndex(({ text }) => text === hinted?.text);
  if (!hinted || chosen !== null) paint(view, chosen);
  else if (at >= 0) paint(view, at);
  else paint({ ...view, legal_moves: [hinted] }, 0);
}

function draw(next) {
  const sameMoves =
    view && view.card === next.card && JSON.stringify(view.legal_moves) === JSON.stringify(next.legal_moves);
  if (!sameMoves) chosen = null;
  announce(view, next);
  const isNews = Boolean(next.warning && view && !view.warning);
  view = next;
  turn(next);
  warning(next);
  question(next, next.question?.seat === next.seat);
  hint(next);
  show();
  moves(next, chosen);
  hand(next);
  trouble(next);
  wishes(next);
  proposal(next);
  around(next);
  // Whoever is warned of what is not so finds the way out at once.
  // A warning stands above the board, the cards below it; who is telling the hand is not disturbed.
  if (isNews && !document.querySelector("div:not([hidden]) > [data-testid=hand-editor]"))
    part("warning").scrollIntoView({ block: "nearest" });
  const place = part(next.warning ? "correct-now" : "correct-later");
  if (!place.contains(part("correct"))) place.append(part("correct"));
  // Only what is seen needs a button that says: I have finished.
  decide.hidden = next.by_touch || next.game.ended || next.game.paused || Boolean(next.question);
  undo.hidden = !next.can_undo;
  // A laid card is what is taken back first.
  write(undo, t(next.card ? "undo-card" : "undo"));
}

/** What nobody waits for. */
const around = later((next) => {
  seats(next);
  inWords(next);
  history(next);
  rules(next);
  correct(next);
});

const followed = follow("seat", draw, (state) => state === "unseated" && location.replace("/"));
