// The host: starts games, stops the clock, mends what went wrong.

import { get, post, wish } from "../core/api.js";
import { drawer, h } from "../core/dom.js";
import { part, start } from "../core/start.js";
import { language, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";
import { hintRules } from "../panels/hintrules.js";
import { cameraPicture } from "../panels/camera.js";
import { computersPanel } from "../panels/computers.js";
import { correctPanel } from "../panels/correct.js";
import { hostDoor, pinForm } from "../panels/hostdoor.js";
import { houseRules } from "../panels/houserules.js";
import { gamesBox, journalBox } from "../panels/keeping.js";
import { proposalPanel } from "../panels/proposal.js";
import { publicBoard } from "../panels/public.js";
import { replayPanel } from "../panels/replay.js";
import { seatName } from "../panels/seats.js";
import { sourcesPanel } from "../panels/sources.js";
import { granted, toast } from "../panels/toast.js";
import { wishesPanel } from "../panels/wishes.js";
import { wizard } from "../panels/wizard.js";

const { boardFile, looks, session, follow } = start();
const setup = { ruleset: null, players: boardFile.zones, first: null };
let view = null;
let rulesets = [];

part("release-host").addEventListener("click", async () => {
  if (granted(await post("host/release"))) location.reload();
});

/** Ask the table as the host; say that it is done, because nothing else on the page may change. */
async function send(kind, data = {}) {
  const answer = await wish(kind, data, { role: "host" });
  if (granted(answer)) toast(t("done"), "good");
  return answer.ok;
}

function button(id, act) {
  part(id).addEventListener("click", act);
}

button("pause", () => send(view?.game.paused ? "resume" : "pause"));
button("host-undo", () => send("undo"));
button("host-deal", () => send("deal"));
button("host-decide", () => send("decide_now"));
button("accept", () => send("accept_board"));

/** A choice of the new game as a row of buttons. */
function choiceButtons(values, current, label, pick) {
  return values.map((value) =>
    h(
      "button",
      {
        type: "button",
        class: "tile small",
        "aria-pressed": String(value === current),
        onclick: () => pick(value),
        "data-value": value,
      },
      label(value),
    ),
  );
}

function seatLabel(seat) {
  return [pawnIcon(looks.get(seat)), h("span", {}, t(`color.${looks.get(seat).color}`))];
}

const drawCounts = drawer(part("players"), (counts) =>
  choiceButtons(counts, setup.players, String, (value) => change({ players: value })),
);
const drawFirst = drawer(part("first"), (seats) =>
  choiceButtons(seats, setup.first, seatLabel, (value) => change({ first: value })),
);

const house = houseRules(part("house-rules"), part("house-rules-list"));

function drawSetup() {
  house.use(part("ruleset").value);
  const seatsFor = rulesets.find(({ name }) => name === part("ruleset").value)?.players ?? {};
  const counts = Object.keys(seatsFor).map(Number);
  if (counts.length && !counts.includes(setup.players)) setup.players = counts.at(-1);
  const seats = seatsFor[setup.players] ?? [];
  if (!seats.includes(setup.first)) setup.first = seats[0];
  drawCounts([counts, setup.players], counts);
  drawFirst([language(), seats, setup.first], seats);
}

function change(values) {
  Object.assign(setup, values);
  drawSetup();
}

async function fillRulesets() {
  const answer = await get("rulesets");
  rulesets = answer.ok ? answer.data.rulesets : [];
  const select = part("ruleset");
  select.replaceChildren(
    ...rulesets.map(({ name, title }) => h("option", { value: name }, title[language()] ?? name)),
  );
  select.value = view?.game.ruleset ?? rulesets[0]?.name;
  drawSetup();
}

part("ruleset").addEventListener("change", drawSetup);

const MODES = ["recorder", "coach", "friendly", "strict"];
const drawModes = drawer(part("mode"), (mode) =>
  MODES.map((name) => h("option", { value: name, selected: name === mode }, t(`mode.${name}`))),
);
part("mode").addEventListener("change", () => send("set_mode", { mode: part("mode").value }));
gamesBox(part("games"), part("game-file"));
journalBox(part("journal"), () => view.game);

part("new-game").addEventListener("submit", async (event) => {
  event.preventDefault();
  const question = part("new-game-sure");
  // A game in progress is not ended by one careless touch.
  if (question.hidden && !view?.game.ended) {
    question.hidden = false;
    question.querySelector("button").focus();
    return;
  }
  question.hidden = true;
  await send("new_game", {
    ruleset: part("ruleset").value,
    options: house.chosen(),
    players: setup.players,
    first: setup.first,
  });
});
part("new-game-no").addEventListener("click", () => {
  part("new-game-sure").hidden = true;
});

/** A seat with somebody on it, and the way to free it: nobody is sent away by one careless touch. */
function holder(entry) {
  const free = h("button", { type: "button", class: "quiet", testid: `free-${entry.seat}` }, t("free-seat"));
  free.addEventListener("click", () => {
    if (free.textContent === t("free-seat")) free.textContent = t("free-sure", { name: entry.name });
    else send("free_seat", { seat: entry.seat });
  });
  return h("li", {}, pawnIcon(looks.get(entry.seat)), h("span", {}, entry.name), free);
}

part("shutdown").addEventListener("click", async (event) => {
  if (event.target.dataset.sure) {
    const answer = await post("host/shutdown");
    if (granted(answer)) toast(t(answer.machine ? "shutdown-machine" : "shutdown-done"), "good");
    return;
  }
  event.target.dataset.sure = "yes";
  event.target.textContent = t("shutdown-sure");
});

function followAsHost() {
  part("host-tools").hidden = false;
  const drawBoard = publicBoard(boardFile, looks, part("board"), (choice) => send("answer", { choice }));
  const sources = sourcesPanel(part("all-sources"));
  const wishes = wishesPanel(part("wishes"), looks, (number, yes) => send("answer_seat", { number, yes }));
  const drawHolders = drawer(part("holders"), (next) => next.seats.filter(({ taken }) => taken).map(holder));
  const computers = computersPanel(part("computers"), looks, send);
  const proposal = proposalPanel(part("proposal"), (number, yes) => send("vote_back", { number, yes }));
  const correct = correctPanel(part("correct"), boardFile, looks, {
    send: (changes) => send("correct", { changes }),
  });
  replayPanel(part("replay"), boardFile, looks, { propose: (to) => send("undo", { to }) });
  const setUp = wizard(part("wizard"), { boardFile, looks, session, send });
  pinForm(session);
  const drawWho = drawer(part("host-turn"), (next) => [
    t("host-turn"),
    " ",
    h(
      "b",
      {},
      seatName(
        next.seats.find(({ seat }) => seat === next.to_move),
        looks,
      ),
    ),
  ]);
  fillRulesets();
  hintRules(part("hints-most"), part("hints-per-seat"));
  cameraPicture(
    part("camera"),
    () => "preview",
    () => part("camera-box").open,
  );
  follow(
    "host",
    (next) => {
      view = next;
      drawBoard(next);
      sources(next);
      wishes(next);
      setUp(next);
      computers(next);
      proposal(next);
      correct(next);
      drawHolders([language(), next.seats], next);
      drawWho([language(), next.to_move, next.seats], next);
      part("pause").textContent = t(next.game.paused ? "resume" : "pause");
      part("host-undo").disabled = next.can_undo === false;
      drawModes([language(), next.game.mode], next.game.mode);
      part("mode-what").textContent = t(`mode-what.${next.game.mode}`);
      drawSetup();
    },
    (state) => state === "unseated" && location.reload(),
  );
}

if (session.host) {
  followAsHost();
} else {
  hostDoor(session);
  part("host-columns").hidden = true;
  follow("table", () => {});
}
