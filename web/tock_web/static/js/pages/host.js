// The host's page: start games, pause, and put right what went wrong.

import { pawnIcon } from "../board/shapes.js";
import { get, post, request } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { start } from "../core/start.js";
import { Store, drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { BoardsPanel } from "../panels/boards.js";
import { CorrectPanel } from "../panels/correct.js";
import { granted, toast } from "../panels/frame.js";
import { computersPanel, hintRules, hostDoor, indicesPanel, pinForm } from "../panels/hosting.js";
import { houseRules } from "../panels/house_rules.js";
import { journalBox } from "../panels/journal.js";
import { gamesBox } from "../panels/kept_games.js";
import { hostsLobby, prepared } from "../panels/lobby_choices.js";
import { PhonesPanel } from "../panels/phones.js";
import { publicBoard } from "../panels/public_board.js";
import { hostSheets } from "../panels/host_sheets.js";
import { seatRequestsPanel } from "../panels/seat_requests.js";
import { replayPanel } from "../panels/replay.js";
import { HOST_FEATURES } from "../host_features.js";
import { colorName, seatName } from "../panels/seats.js";
import { sourcesPanel } from "../panels/sources.js";
import { SetupDialog } from "../panels/setup.js";
import { mayDecide, newHost, playerCounts, playingSeats, reduceHost } from "../state/host.js";

/** @import { Children, HostView, RequestArguments, SeatInfo, SeatName } from "#types" */
/** @import { HostAction, HostState } from "../state/host.js" */

const MODES = /** @type {const} */ (["recorder", "coach", "friendly", "strict"]);

const { boardFile, styles, session, follow } = start();
/** @type {Store<HostState, HostAction>} */
const store = new Store(reduceHost, newHost(boardFile.zones), drawSetup);
const house = houseRules(partOf(HTMLDetailsElement, "house-rules"), part("house-rules-list"));
const ruleset = partOf(HTMLSelectElement, "ruleset");
const mode = partOf(HTMLSelectElement, "mode");

/**
 * Send a request as the host and confirm it, since nothing else on the page may change.
 * @param {RequestArguments} asked
 */
async function send(...asked) {
  if (granted(await request(asked, { role: "host" }))) toast(t("done"), "good");
}

/** Send a request with a visible outcome. @param {RequestArguments} asked */
async function ask(...asked) {
  granted(await request(asked, { role: "host" }));
}

/** @type {(id: string, act: () => void) => void} */
function onTap(id, act) {
  part(id).addEventListener("click", act);
}

onTap("pause", () => send(store.state.view?.game.paused ? "resume" : "pause"));
onTap("host-undo", () => send("undo"));
onTap("host-deal", () => send("deal"));
onTap("host-decide", () => send("decide_now"));
onTap("accept", () => send("accept_board"));
onTap("release-host", async () => {
  if (granted(await post("host/release"))) location.reload();
});

/**
 * A choice of the new game as a row of buttons.
 *
 * @template {string | number} V
 * @param {V[]} values
 * @param {V | null} current
 * @param {(value: V) => Children} label
 * @param {(value: V) => void} pick
 */
function choiceButtons(values, current, label, pick) {
  return values.map((value) => {
    const pressed = String(value === current);
    const attributes = { type: "button", class: "tile small", "aria-pressed": pressed, "data-value": value };
    return h("button", { ...attributes, onclick: () => pick(value) }, label(value));
  });
}

const drawCounts = drawer(part("players"), (/** @type {HostState} */ state) =>
  choiceButtons(playerCounts(state), state.players, String, (players) =>
    store.dispatch({ type: "chosen", players }),
  ),
);
const drawFirst = drawer(part("first"), (/** @type {HostState} */ state) => {
  const label = (/** @type {SeatName} */ seat) => [
    pawnIcon(styles.get(seat)),
    h("span", {}, colorName(seat, styles)),
  ];
  const pick = (/** @type {SeatName} */ first) => store.dispatch({ type: "chosen", first });
  return choiceButtons(playingSeats(state), state.first, label, pick);
});

/** @param {HostState} state */
function drawSetup(state) {
  house.use(state.ruleset);
  drawCounts([playerCounts(state), state.players], state);
  drawFirst([language(), playingSeats(state), state.first], state);
}

async function fillRulesets() {
  const answer = await get("rulesets");
  const rulesets = answer.ok ? answer.data.rulesets : [];
  const options = rulesets.map(({ name, title }) => h("option", { value: name }, title[language()] ?? name));
  ruleset.replaceChildren(...options);
  store.dispatch({ type: "fetched", rulesets });
  ruleset.value = store.state.ruleset;
}

ruleset.addEventListener("change", () => store.dispatch({ type: "chosen", ruleset: ruleset.value }));

const drawModes = drawer(mode, (/** @type {string} */ current) =>
  MODES.map((name) => h("option", { value: name, selected: name === current }, t(`mode.${name}`))),
);
mode.addEventListener("change", () => send("set_mode", { mode: MODES[mode.selectedIndex] }));
gamesBox(part("games"), partOf(HTMLInputElement, "game-file"), () => store.state.view);
journalBox(part("journal"), styles, () => store.state.view ?? undefined);

part("new-game").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { view, players, first } = store.state;
  const question = part("new-game-sure");
  // One careless tap must not end a game in progress.
  if (question.hidden && !view?.game.ended) {
    question.hidden = false;
    question.querySelector("button")?.focus();
    return;
  }
  question.hidden = true;
  await send("new_game", { ruleset: store.state.ruleset, options: house.chosen(), players, first });
});
onTap("new-game-no", () => {
  part("new-game-sure").hidden = true;
});

/** A taken seat with a button to free it, which asks once more before it does. @param {SeatInfo} entry */
function holder(entry) {
  const onclick = () => {
    if (free.textContent === t("free-seat")) free.textContent = t("free-sure", { name: entry.name });
    else send("free_seat", { seat: entry.seat });
  };
  const attributes = { type: "button", class: "quiet", testid: `free-${entry.seat}`, onclick };
  const free = h("button", attributes, t("free-seat"));
  return h("li", {}, pawnIcon(styles.get(entry.seat)), h("span", {}, entry.name), free);
}

onTap("shutdown", async () => {
  const node = part("shutdown");
  if (!node.dataset.sure) {
    node.dataset.sure = "yes";
    node.textContent = t("shutdown-sure");
    return;
  }
  const answer = await post("host/shutdown");
  if (granted(answer)) toast(t(answer.data.machine ? "shutdown-machine" : "shutdown-done"), "good");
});

/** Everything that draws a view for the host, in the order in which it matters. */
function hostPanels() {
  const correct = new CorrectPanel(part("correct"), boardFile, styles, (changes) =>
    send("correct", { changes }),
  );
  const boards = new BoardsPanel(part("boards"));
  const phones = new PhonesPanel(part("phone-asks"), part("phones"));
  const setup = new SetupDialog(part("setup"), { boardFile, styles, session, phones }, send);
  return [
    publicBoard(boardFile, styles, {
      answer: (choice) => send("answer", { choice }),
      letPass: () => send("override"),
      vote: (number, yes) => send("vote_back", { number, yes }),
      rematch: (rotate) => send("rematch", { rotate }),
      absent: (seat, choice) => send("answer_absent", { seat, choice }),
      lobby: hostsLobby(
        (choice) => store.state.view && ask("prepare", prepared(store.state.view, choice)),
        ask,
      ),
    }),
    sourcesPanel(part("all-sources")),
    indicesPanel(partOf(HTMLSelectElement, "indices"), (indices) => send("set_indices", { indices })),
    seatRequestsPanel(part("seat-requests"), styles, (number, yes) => send("answer_seat", { number, yes })),
    (/** @type {HostView} */ view) => setup.update(view),
    (/** @type {HostView} */ view) => boards.update(view),
    computersPanel(part("computers"), styles, (seat, strength) => send("set_computer", { seat, strength })),
    (/** @type {HostView} */ view) => correct.update(view),
    ...HOST_FEATURES.map(({ draws }) => draws(styles)),
  ];
}

const drawHolders = drawer(part("holders"), (/** @type {HostView} */ view) =>
  view.seats.filter(({ taken }) => taken).map(holder),
);
const drawWho = drawer(part("host-turn"), (/** @type {HostView} */ view) => {
  const mover = view.seats.find(({ seat }) => seat === view.to_move);
  return !view.game.ended && [t("host-turn"), " ", mover && h("b", {}, seatName(mover, styles))];
});

/** @param {HostView} view */
function drawTools(view) {
  const { paused, mode: current } = view.game;
  drawHolders([language(), view.seats], view);
  drawWho([language(), view.to_move, view.seats, view.game.ended], view);
  part("pause").textContent = t(paused ? "resume" : "pause");
  part("host-decide").hidden = !mayDecide(view);
  partOf(HTMLButtonElement, "host-undo").disabled = view.can_undo === false;
  drawModes([language(), current], current);
  part("mode-what").textContent = t(`mode-what.${current}`);
}

function followAsHost() {
  part("host-tools").hidden = false;
  const panels = hostPanels();
  replayPanel(part("replay"), boardFile, styles, { propose: (to) => send("undo", { to }) });
  pinForm(session);
  fillRulesets();
  hintRules();
  hostSheets();
  const draw = (/** @type {HostView} */ view) => {
    store.dispatch({ type: "seen", view });
    for (const panel of panels) panel(view);
    drawTools(view);
  };
  follow("host", draw, (state) => {
    if (state === "unseated") location.reload();
  });
}

if (session.host) {
  followAsHost();
} else {
  hostDoor(session);
  part("host-columns").hidden = true;
  follow("table", () => {});
}
