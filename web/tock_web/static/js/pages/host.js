// The host's page: start games, pause, and put right what went wrong.

import { pawnIcon } from "../board/shapes.js";
import { request } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { button, h, options } from "../core/dom.js";
import { endOnceSure, mayEnd } from "../core/ending.js";
import { leaveOnce } from "../core/leaving.js";
import { RequestQueue } from "../core/queue.js";
import { start } from "../core/start.js";
import { Store, drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { BoardsPanel } from "../panels/boards.js";
import { CorrectPanel } from "../panels/correct.js";
import { granted, toast } from "../panels/frame.js";
import { computersPanel, hintRules, hostDoor, indicesPanel, pinForm } from "../panels/hosting.js";
import { journalBox } from "../panels/journal.js";
import { gamesBox } from "../panels/kept_games.js";
import { hostsLobby, nextGame, prepared } from "../panels/lobby_choices.js";
import { PhonesPanel } from "../panels/phones.js";
import { publicBoard } from "../panels/public_board.js";
import { seatRequestsPanel } from "../panels/seat_requests.js";
import { replayPanel } from "../panels/replay.js";
import { HOST_FEATURES } from "../host_features.js";
import { seatName } from "../panels/seats.js";
import { foldedCamera, sourcesPanel } from "../panels/sources.js";
import { SetupDialog } from "../panels/setup.js";
import { endsGame } from "../panels/who_moves.js";
import { mayDecide } from "../state/seat.js";
import { voicePanel } from "../panels/voice.js";

/** @import { HostView, RequestArguments, SeatInfo } from "#types" */

const MODES = /** @type {const} */ (["recorder", "coach", "friendly", "strict"]);
/** An answer that is later moves the tools, rather than keeping the host from them. */
const MAX_WAIT_MS = 2_000;

const { boardFile, styles, session, follow } = start();
const NO_VIEW = /** @type {HostView | null} */ (null);
/** The newest view. */
const store = new Store((_, /** @type {HostView} */ view) => view, NO_VIEW);
const mode = partOf(HTMLSelectElement, "mode");
const queue = new RequestQueue();

/**
 * Send a request as the host and confirm it, since nothing else on the page may change.
 * @param {RequestArguments} asked
 */
async function send(...asked) {
  if (await ask(...asked)) toast(t("done"), "good");
}

/** Send a request with a visible outcome. @param {RequestArguments} asked */
function ask(...asked) {
  return queue.add(JSON.stringify(asked), async () => granted(await request(asked, { role: "host" })));
}

/** @type {(id: string, act: () => void) => void} */
function onTap(id, act) {
  part(id).addEventListener("click", act);
}

onTap("pause", () => send(store.state?.game.paused ? "resume" : "pause"));
onTap("host-undo", () => send("undo"));
onTap("host-deal", () => send("deal"));
onTap("host-decide", () => send("decide_now"));
onTap("accept", () => send("accept_board"));
onTap("release-host", async () => {
  if (granted(await endOnceSure("host/release", {}, t("release-host")))) leaveOnce();
});

const drawModes = drawer(mode, (/** @type {string} */ current) =>
  options(
    MODES,
    MODES.find((name) => name === current),
    (name) => t(`mode.${name}`),
  ),
);
mode.addEventListener("change", () => send("set_mode", { mode: MODES[mode.selectedIndex] }));
gamesBox(part("games"), partOf(HTMLInputElement, "game-file"), () => store.state);
journalBox(part("journal"), styles, () => store.state ?? undefined);

// The sheet says first that the running game ends.
onTap("new-game", async () => {
  if (endsGame(store.state) && !(await mayEnd(t("new-game-ends"), t("new-game-yes")))) return;
  if (!store.state) return;
  const asked = await nextGame(store.state, "lobby");
  if (!granted(await request(asked, { role: "host" }))) return;
  partOf(HTMLDialogElement, "menu").close();
  part("lobby").scrollIntoView();
});

/** A taken seat with a button to free it, which asks once more before it does. @param {SeatInfo} entry */
function holder(entry) {
  const onclick = async () => {
    if (await mayEnd(null, t("free-sure", { name: entry.name })))
      await send("free_seat", { seat: entry.seat });
  };
  const free = button("quiet", `free-${entry.seat}`, t("free-seat"), onclick);
  return h("li", pawnIcon(styles.get(entry.seat)), h("span", entry.name), free);
}

onTap("shutdown", async () => {
  const answer = await endOnceSure("host/shutdown", {}, t("shutdown-sure"), t("shutdown-ask"));
  if (granted(answer)) toast(t(answer.data.machine ? "shutdown-machine" : "shutdown-done"), "good");
});

/** Everything that draws a view for the host, in the order in which it matters. */
function hostPanels(/** @type {(drawn: Promise<unknown>) => void} */ waitFor) {
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
      goOn: async (how) => store.state && send(...(await nextGame(store.state, how))),
      absent: (seat, choice) => send("answer_absent", { seat, choice }),
      lobby: hostsLobby(
        (choice) => store.state && ask("prepare", prepared(store.state, choice)),
        ask,
        mayEnd,
      ),
    }),
    sourcesPanel(part("all-sources")),
    indicesPanel(partOf(HTMLSelectElement, "indices"), (indices) => send("set_indices", { indices })),
    seatRequestsPanel(part("seat-requests"), styles, (number, yes) => send("answer_seat", { number, yes })),
    (/** @type {HostView} */ view) => setup.update(view),
    (/** @type {HostView} */ view) => boards.update(view),
    computersPanel(part("computers"), styles, (seat, strength) => send("set_computer", { seat, strength })),
    (/** @type {HostView} */ view) => correct.update(view),
    ...HOST_FEATURES.map(({ draws }) => draws(styles, waitFor)),
  ];
}

const drawHolders = drawer(part("holders"), (/** @type {HostView} */ view) =>
  view.seats.filter(({ taken }) => taken).map(holder),
);
const drawWho = drawer(part("host-turn"), (/** @type {HostView} */ view) => {
  const mover = view.seats.find(({ seat }) => seat === view.to_move);
  return !view.game.ended && [t("host-turn"), " ", mover && h("b", seatName(mover, styles))];
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
  /** @type {Promise<unknown>[]} */
  const drawn = [];
  const panels = hostPanels((one) => drawn.push(one));
  const propose = async (/** @type {number} */ to) => {
    if (await mayEnd(null, t("propose-back"))) await send("undo", { to });
  };
  replayPanel(part("replay"), boardFile, styles, { propose });
  pinForm(session);
  hintRules();
  hostSheets();
  const draw = (/** @type {HostView} */ view) => {
    store.dispatch(view);
    for (const panel of panels) panel(view);
    drawTools(view);
  };
  follow("host", draw, (state) => {
    if (state === "unseated") leaveOnce();
  });
  const late = new Promise((go) => setTimeout(go, MAX_WAIT_MS));
  void Promise.race([Promise.allSettled(drawn), late]).then(() => (part("host-tools").hidden = false));
}

/** Fill them, once the host is in. */
function hostSheets() {
  voicePanel(part("voice"));
  foldedCamera(partOf(HTMLDetailsElement, "camera-box"));
  openAddressed();
  addEventListener("hashchange", openAddressed);
}

/** The buttons that a link from a lobby stands for, by the end of its address. @type {Record<string, string[]>} */
const DOORS = Object.assign({ "#phone": ["open-sources"] }, ...HOST_FEATURES.map(({ doors }) => doors));

/** Open the sheet that the address names, once. */
function openAddressed() {
  const doors = DOORS[location.hash] ?? [];
  if (doors.length) history.replaceState(null, "", location.pathname);
  for (const door of doors) {
    const node = document.querySelector(`[data-testid=${door}]`);
    if (node instanceof HTMLElement) node.click();
  }
}

if (session.host) {
  followAsHost();
} else {
  hostDoor(session);
  part("host-columns").hidden = true;
  follow("table", () => {});
}
