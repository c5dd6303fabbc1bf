// The start page: sit down at the table, or leave the page open as the table's own screen.

import { pawnIcon } from "../board/shapes.js";
import { post } from "../core/api.js";
import { part, partOf, recall, remember } from "../core/bootstrap.js";
import { h, tile } from "../core/dom.js";
import { start } from "../core/start.js";
import { Store, drawer } from "../core/store.js";
import { language, loadAllWords, t } from "../core/words.js";
import { arrived, granted, toast } from "../panels/frame.js";
import { publicBoard } from "../panels/public_board.js";
import { replayPanel } from "../panels/replay.js";
import { colorName } from "../panels/seats.js";
import { FEATURES } from "../features.js";
import { NO_JOIN, isFolded, isFull, isTaken, reduceJoin } from "../state/pages.js";
import { fetched } from "../panels/lazy_panel.js";

/** @import { SeatInfo, SeatName, TableView } from "#types" */
/** @import { JoinAction, JoinState } from "../state/pages.js" */

/** A screen on which pawns can be dragged. */
const LARGE = matchMedia("(min-width: 960px)");
const { boardFile, styles, session, follow } = start();
/** @type {Store<JoinState, JoinAction>} */
const store = new Store(reduceJoin, { ...NO_JOIN, seat: recall("seat", ""), name: recall("name", "") }, draw);
/** Seats that are kept for others, as this phone knows. */
const warned = new Set();
const name = partOf(HTMLInputElement, "join-name");

// Fast fingers may have typed before the script was loaded.
name.value ||= recall("name", "");
part("url").textContent = session.url;
part("sim-link").hidden = !session.simulated;

const drawTiles = drawer(part("tiles"), (/** @type {JoinState} */ { view, seat }) =>
  view?.seats.map((entry) => seatTile(view, entry, entry.seat === seat)),
);
/** Only a phone that has had a seat has entered cards. */
const drawCardsRequests = fetched(
  () => Promise.all([import("../panels/cards_requests.js"), loadAllWords()]),
  ([{ cardsRequestsPanel }]) => cardsRequestsPanel(part("cards-requests"), styles, session.cards_requests),
  () => session.cards_requests.length || recall("seat", ""),
);
const asking = () => Promise.all([import("../panels/ask_for_seat.js"), loadAllWords()]);
const drawTaken = fetched(
  asking,
  ([{ takenPanel }]) => takenPanel(part("join-late"), part("join-taken"), part("join-enter")),
  (/** @type {JoinState} */ state) => state.seat || isFull(state),
);
const drawBoard = publicBoard(boardFile, styles);

/** @type {(view: TableView, entry: SeatInfo, isPicked: boolean) => HTMLButtonElement} */
function seatTile(view, entry, isPicked) {
  const { seat } = entry;
  const nobody = entry.computer ? t("computer") : t("seat", { n: Number(seat.slice(1)) + 1 });
  // A club has paired people already: each finds their place by name.
  const who = entry.taken || entry.name ? entry.name : nobody;
  const onclick = () => {
    const isReserved = FEATURES.some((feature) => feature.isReserved(view, seat));
    // Who taps a name is probably that person, on a phone that has lost its seat.
    if (entry.name && !isReserved && !(entry.taken && name.value)) name.value = entry.name;
    store.dispatch({ type: "picked", seat });
  };
  const words = [pawnIcon(styles.get(seat)), h("span", colorName(seat, styles), h("small", who))];
  return tile("tile", `join-seat-${seat}`, words, isPicked, onclick);
}

/** @param {JoinState} state */
function draw(state) {
  if (!state.view) return;
  drawTiles([language(), state.view.seats, state.seat], state);
  drawTaken(state);
  part("join").classList.toggle("folded", isFolded(state));
}

part("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { seat } = store.state;
  const chosenName = name.value.trim();
  if (!chosenName) {
    toast(t("join-needs-name"));
    name.focus();
  } else if (!seat) toast(t("join-needs-seat"));
  else if (isTaken(store.state)) {
    const wanted = { name: chosenName, seat, lang: language() };
    (await arrived(asking()))?.[0].askForSeat(part("join-waiting"), wanted);
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
if (recall("asked", "")) arrived(asking()).then((found) => found?.[0].hear(part("join-waiting")));
