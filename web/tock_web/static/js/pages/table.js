// The start page: sit down at the table, or leave the page open as the table's own screen.

import { pawnIcon } from "../board/shapes.js";
import { post } from "../core/api.js";
import { part, partOf, recall, remember } from "../core/bootstrap.js";
import { button, h } from "../core/dom.js";
import { start } from "../core/start.js";
import { Store, drawer } from "../core/store.js";
import { language, loadAllWords, t } from "../core/words.js";
import { arrived, granted, toast } from "../panels/frame.js";
import { fetched } from "../panels/lazy_panel.js";
import { publicBoard } from "../panels/public_board.js";
import { replayPanel } from "../panels/replay.js";
import { colorName } from "../panels/seats.js";
import { FEATURES } from "../features.js";
import { NO_JOIN, isComputers, isFolded, isTaken, reduceJoin } from "../state/pages.js";

/** @import { SeatInfo, SeatName, TableView } from "#types" */
/** @import { JoinAction, JoinState } from "../state/pages.js" */

/** A screen on which pawns can be dragged. */
const LARGE = matchMedia("(min-width: 960px)");
const { boardFile, styles, session, follow } = start();
/** @type {Store<JoinState, JoinAction>} */
const store = new Store(reduceJoin, { ...NO_JOIN, seat: recall("seat", "") }, draw);
/** Seats that are kept for others, as this phone knows. */
const warned = new Set();
const name = partOf(HTMLInputElement, "join-name");

// Fast fingers may have typed before the script was loaded.
name.value ||= recall("name", "");
part("url").textContent = session.url;
part("sim-link").hidden = !session.simulated;

const drawTiles = drawer(part("tiles"), (/** @type {JoinState} */ { view, seat }) =>
  view?.seats.map((entry) => tile(view, entry, entry.seat === seat)),
);
/** Only a phone that has had a seat has entered cards. */
const drawCardsRequests = fetched(
  () => Promise.all([import("../panels/cards_requests.js"), loadAllWords()]),
  ([{ cardsRequestsPanel }]) => cardsRequestsPanel(part("cards-requests"), styles, session.cards_requests),
  () => session.cards_requests.length || recall("seat", ""),
);
const drawBoard = publicBoard(boardFile, styles);

/** @type {(view: TableView, entry: SeatInfo, isPicked: boolean) => HTMLButtonElement} */
function tile(view, entry, isPicked) {
  const { seat } = entry;
  const nobody = entry.computer ? t("computer") : t("seat", { n: Number(seat.slice(1)) + 1 });
  // A club has paired people already: each finds their place by name.
  const who = entry.taken || entry.name ? entry.name : nobody;
  const onclick = () => {
    const isReserved = FEATURES.some((feature) => feature.isReserved(view, seat));
    if (!entry.taken && entry.name && !isReserved) name.value = entry.name;
    store.dispatch({ type: "picked", seat });
  };
  const testid = `join-seat-${seat}`;
  return button(
    "tile",
    testid,
    [pawnIcon(styles.get(seat)), h("span", {}, colorName(seat, styles), h("small", {}, who))],
    onclick,
    { "aria-pressed": String(isPicked) },
  );
}

/** @param {JoinState} state */
function enterWord(state) {
  if (isTaken(state)) return "join-ask";
  return isComputers(state) ? "join-replace" : "join-enter";
}

/** @param {JoinState} state */
function draw(state) {
  if (!state.view) return;
  drawTiles([language(), state.view.seats, state.seat], state);
  part("join-enter").textContent = t(enterWord(state));
  part("join-taken").hidden = !isTaken(state);
  part("join-computer").hidden = !isComputers(state);
  part("join").classList.toggle("folded", isFolded(state));
}

part("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { seat } = store.state;
  const chosenName = name.value.trim();
  if (!chosenName) {
    toast(t("join-needs-name"));
    name.focus();
    return;
  }
  if (!seat) {
    toast(t("join-needs-seat"));
    return;
  }
  if (isTaken(store.state)) {
    const wanted = { name: chosenName, seat, lang: language() };
    (await arrived(import("../panels/ask_for_seat.js")))?.askForSeat(part("join-waiting"), wanted);
  } else void join(chosenName, seat);
});

/** @type {(chosenName: string, seat: SeatName) => Promise<void>} */
async function join(chosenName, seat) {
  remember("name", chosenName);
  remember("me", "");
  const anyway = warned.delete(seat);
  const answer = await post("join", { name: chosenName, seat, lang: language(), anyway });
  if (granted(answer)) location.assign("/seat");
  else if (answer.data?.code === "seat_invited") warned.add(seat);
}
const lastTime = fetched(
  () => import("../panels/last_time.js"),
  ({ lastTimePanel }) => lastTimePanel(part("last-time"), styles, join),
  (/** @type {TableView} */ { lobby }) => lobby?.last.length,
);

part("unfold").addEventListener("click", () => store.dispatch({ type: "unfolded" }));

follow("table", (view) => {
  drawBoard(view);
  drawCardsRequests(view);
  lastTime(view);
  store.dispatch({ type: "seen", view });
  // People who prepared the game go on to the board they can play on.
  const isScreen = session.simulated && LARGE.matches && !name.value;
  if (store.state.begins && isScreen) location.assign("/sim");
});
replayPanel(part("replay"), boardFile, styles);
