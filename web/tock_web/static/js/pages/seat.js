// A player's phone.

import { Board } from "../board/board.js";
import { angleFor } from "../board/layout.js";
import { moveAt } from "../board/move_taps.js";
import { viewPainter } from "../board/overlays.js";
import { request } from "../core/api.js";
import { part, remember } from "../core/bootstrap.js";
import { write } from "../core/dom.js";
import { endOnceSure, mayEnd } from "../core/ending.js";
import { leaveOnce } from "../core/leaving.js";
import { RequestQueue } from "../core/queue.js";
import { start } from "../core/start.js";
import { Store, later } from "../core/store.js";
import { t } from "../core/words.js";
import { cardsRequestsPanel } from "../panels/cards_requests.js";
import { CorrectPanel } from "../panels/correct.js";
import { granted, toast } from "../panels/frame.js";
import { HandPanel } from "../panels/hand.js";
import { hintPanel } from "../panels/hint.js";
import { keepAwake } from "../panels/keep_awake.js";
import { lobbyPanel } from "../panels/lobby.js";
import { hostsLobby, nextGame, prepared } from "../panels/lobby_choices.js";
import { mePanel } from "../panels/me.js";
import { absentPanel, endingPanel, missingPanel } from "../panels/rare.js";
import { practiceOffer, practicePanel } from "../panels/practice.js";
import { movesPanel } from "../panels/moves.js";
import { proposalPanel, questionPanel, tellRefused } from "../panels/questions.js";
import { replayPanel } from "../panels/replay.js";
import { rulesPanel } from "../panels/rules.js";
import { seatRequestsPanel } from "../panels/seat_requests.js";
import { historyPanel, seatsPanel, textBoard } from "../panels/seats.js";
import { announce, settingsPanel, speakIfWanted } from "../panels/settings.js";
import { sourcesPanel } from "../panels/sources.js";
import { turnPanel, undoWord, warningPanel } from "../panels/turn.js";
import { NO_SEAT, boardOf, mayFinish, reduceSeat } from "../state/seat.js";

/** @import { Change, Point, RequestArguments, SeatView } from "#types" */
/** @import { SeatAction, SeatState } from "../state/seat.js" */

const { boardFile, styles, session, follow } = start();
remember("seat", session.seat ?? "");
/** @type {Store<SeatState, SeatAction>} */
const store = new Store(reduceSeat, NO_SEAT, showChange);
const angle = angleFor(boardFile, session.seat);
const board = new Board(part("board"), boardFile, styles, { angle, onTap: tapped });
const paint = viewPainter(board);
const turn = turnPanel(part("turn"), styles);
const warning = warningPanel(
  part("warning"),
  styles,
  () => send("override"),
  () => sendAsHost("accept_board"),
);
const question = questionPanel(part("question"), styles, (choice) => send("answer", { choice }));
const hand = new HandPanel(
  part("cards"),
  {
    lay: (card) => (gives() ? send("give", { card }) : send("play_card", { card, begins: true })),
    layWhole: (how, cards) => send(how === "throw" ? "throw_hand" : "discard", { cards }),
    tell: (cards) => send("hand_set", { cards }),
    give: (how) => send("give", { how }),
    deal: () => send("deal"),
  },
  session.photos,
);
const moves = movesPanel(part("moves"), {
  choose: (index) => store.dispatch({ type: "chosen", index }),
  play: (move) => send("move", { text: move.text }),
  discard: (card) => send("discard", { card }),
  endTurn: () => send("end_turn"),
  takeBack: () => send("withdraw_card"),
});
const hint = hintPanel(part("hints"), (move) => store.dispatch({ type: "hinted", move }));
const hosting = hostsLobby(
  (choice) => {
    store.dispatch({ type: "wanted", choice });
    const { view, wanted } = store.state;
    if (view) void sendAsHost("prepare", prepared(view, wanted));
  },
  sendAsHost,
  mayEnd,
);
const me = mePanel(styles, speakIfWanted);
const lobby = lobbyPanel(part("lobby"), styles, hosting);
practiceOffer(part("lobby"), send);
const practice = practicePanel(part("practice"), session.seat, send);
const absent = absentPanel(part("absent"), styles, (seat, choice) => send("answer_absent", { seat, choice }));
const ending = endingPanel(part("ending"), styles, board, async (how) => {
  const { view } = store.state;
  if (view) void sendAsHost(...(await nextGame(view, how)));
});
const missing = missingPanel(board, styles);
const seats = seatsPanel(part("seats"), styles, session.seat);
const inWords = textBoard(part("text-board"), styles);
const history = historyPanel(part("history"), styles);
const rules = rulesPanel(part("rules"));
const trouble = sourcesPanel(part("sources"), { onlyTrouble: true });
const seatRequests = seatRequestsPanel(part("seat-requests"), styles, (number, yes) =>
  send("answer_seat", { number, yes }),
);
const cardsRequests = cardsRequestsPanel(part("cards-requests"), styles, session.cards_requests);
const proposal = proposalPanel(part("proposal"), (number, yes) => send("vote_back", { number, yes }));
const sendChanges = (/** @type {Change[]} */ changes) => send("correct", { changes });
const correct = new CorrectPanel(part("correct"), boardFile, styles, sendChanges, angle);
replayPanel(part("replay"), boardFile, styles, { angle, propose: (to) => send("propose_back", { to }) });
settingsPanel(part("settings"));

const queue = new RequestQueue((pending) => store.dispatch({ type: "waiting", pending }));

/** Whether a card of the known hand is for the player's mate. */
function gives() {
  const { view } = store.state;
  return Boolean(view?.givers.includes(view.seat) && view.hand.cards.length);
}

/** Ask in the name of this seat; the answer is whether it was granted. @param {RequestArguments} asked */
function send(...asked) {
  const { view } = store.state;
  if (!view) return Promise.resolve(false);
  return queue.add(JSON.stringify(asked), async () =>
    granted(await request(asked, { revision: view.revision })),
  );
}

/** Ask as the host, whose rights this seat may have. @param {RequestArguments} asked */
function sendAsHost(...asked) {
  return queue.add(JSON.stringify(asked), async () => granted(await request(asked, { role: "host" })));
}

/** A tap on the board means the nearest legal target; where several are near, the list decides. */
function tapped(/** @type {Point} */ point) {
  const { view, chosen } = store.state;
  store.dispatch({ type: "chosen", index: moveAt(board, view?.legal_moves ?? [], point, chosen) });
}

const undo = document.querySelector("[data-testid=undo]");
part("decide").addEventListener("click", () => send("decide_now"));
undo?.addEventListener("click", () => send("undo"));
part("zoom").addEventListener("click", () => {
  board.zoom(!board.isZoomed);
  part("zoom").setAttribute("aria-pressed", String(board.isZoomed));
});
part("leave").addEventListener("click", async () => {
  const answer = await endOnceSure("leave", {}, t("leave-yes"), t("leave-ask"));
  if (answer.status < 0) return;
  followed.close();
  leaveOnce(granted(answer) ? "/" : undefined);
});

/**
 * Redraw the changes of the player's own taps; new views go through `drawView`.
 * @type {(state: SeatState, before: SeatState) => void}
 */
function showChange(state, before) {
  document.body.classList.toggle("busy", state.pending.length > 0);
  const { view, chosen, hinted } = state;
  if (view && (chosen !== before.chosen || hinted !== before.hinted)) drawMoves(view, state);
}

/** @type {(view: SeatView, state: SeatState) => void} */
function drawMoves(view, state) {
  const shown = boardOf(view, state);
  paint(shown.view, shown.chosen);
  moves(view, state.chosen);
}

/** @param {SeatView} view */
function drawView(view) {
  const before = store.state.view;
  store.dispatch({ type: "seen", view });
  announce(before, view);
  keepAwake(view);
  me(view);
  lobby(view);
  practice(view);
  absent(view);
  ending(view);
  tellHost(before, view);
  // A lesson shows its one move on the board.
  part("moves").hidden = Boolean(view.practice) && !view.by_touch;
  part("lobby-cards").hidden = !view.lobby || view.cards.length === 0;
  turn(view);
  warning(view);
  question(view, view.question?.seat === view.seat);
  hint(view);
  drawMoves(view, store.state);
  missing(view);
  hand.update(view);
  trouble(view);
  seatRequests(view);
  cardsRequests(view);
  proposal(view);
  tellRefused(before, view);
  drawUnhurried(view);
  if (view.warning && before && !before.warning) showWarning();
  else if (before && view.your_turn && stepOf(before) !== stepOf(view) && !isEntering()) scrollTo({ top: 0 });
  // A wrong warning has its correction button beside it.
  const place = part(view.warning ? "correct-now" : "correct-later");
  if (!place.contains(part("correct"))) place.append(part("correct"));
  part("decide").hidden = !mayFinish(view);
  // A laid card has its own button beside it.
  undo?.toggleAttribute("hidden", !view.can_undo || view.may_take_back);
  write(part("undo-word"), undoWord(view));
}

/** Announce the new host. @type {(before: SeatView | null, view: SeatView) => void} */
function tellHost(before, view) {
  if (!before || before.host === view.host) return;
  const host = view.seats.find(({ seat }) => seat === view.host);
  if (host)
    toast(host.seat === view.seat ? t("lobby-now-host") : t("lobby-moved", { name: host.name }), "good");
}

/** The step of this turn: once it changes, its sentence comes back into sight. @param {SeatView} view */
function stepOf({ card, guidance }) {
  return `${card}${guidance?.sentence ? JSON.stringify(guidance.sentence) : ""}`;
}

const isEntering = () => document.querySelector("div:not([hidden]) > [data-testid=hand-editor]") !== null;

/** Scroll the beginning of a new warning into view, unless the player is busy entering a hand. */
function showWarning() {
  if (!isEntering()) part("warning").querySelector(".bang")?.scrollIntoView({ block: "nearest" });
}

/** Drawn last: nobody is waiting for these. */
const drawUnhurried = later((/** @type {SeatView} */ view) => {
  seats(view);
  inWords(view);
  history(view);
  rules(view);
  correct.update(view);
});

const followed = follow("seat", drawView, (state) => {
  if (state === "unseated") leaveOnce("/");
});
