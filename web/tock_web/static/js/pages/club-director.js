// The director's page: everything that a tournament needs from a person.

import { follow, oneAtATime } from "../club/stream.js";
import { peoplePanel, resultPanel, roundPanel, troublePanel } from "../club/director.js";
import { openPanel } from "../club/opening.js";
import { get, post, upload } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { drawer, Store } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { bar, granted, toast } from "../panels/frame.js";
import { NO_DIRECTOR, reduceDirector } from "../state/club.js";

/** @import { Acts } from "../club/director.js" */
/** @import { DirectorState } from "../state/club.js" */

/** Results come in bursts: what only the director needs is asked for so often at most. */
const PAUSE_MS = 500;
const showState = bar();
/** @type {Store<DirectorState, Partial<DirectorState>>} */
const store = new Store(reduceDirector, NO_DIRECTOR, draw);
const parts = ["trouble", "round", "result", "people", "open"].map((name) =>
  h("div", { id: `director-${name}` }),
);
part("director").append(...parts);
const [drawTrouble, drawRound, drawResult, drawPeople, drawOpen] = [
  drawer(parts[0], troublePanel),
  drawer(parts[1], roundPanel),
  drawer(parts[2], resultPanel),
  drawer(parts[3], peoplePanel),
  drawer(parts[4], openPanel),
];

/** @type {Acts} */
const acts = {
  act: async (path) => noted(await post(`director/${path}`), path !== "seen"),
  open: async (data) => noted(await post("director/open", data)),
  enter: async (text) => noted(await post("director/enter", { text })),
  load: async (file) => noted(await upload("director/list", new Blob([file], { type: "text/csv" }))),
  turn: async (entrant, active) =>
    noted(await post(active ? "director/return" : "director/withdraw", { entrant })),
  result: async (data) => noted(await post("director/result", data)),
};

/**
 * @param {Parameters<typeof granted>[0]} answer
 * @param {boolean} [aloud]
 */
function noted(answer, aloud = true) {
  if (!granted(answer)) return;
  if (aloud) toast(t("club.saved"), "good");
  look();
}

/** @param {DirectorState} state */
function draw({ hall, desk }) {
  part("director-login").hidden = desk !== null;
  part("director").hidden = desk === null;
  part("director-logout").hidden = desk === null;
  if (!hall || !desk) return;
  const lang = language();
  drawTrouble([lang, desk.trouble, desk.broker, desk.tables.length], desk, acts);
  drawOpen([lang, hall.tournament, hall.closed], desk, acts);
  for (const box of [parts[1], parts[2], parts[3]]) box.hidden = hall.tournament === null;
  drawRound([lang, hall.round, hall.begun, hall.closed, desk.open_games, desk.tables], hall, desk, acts);
  const games = hall.games.map((game) => game.sides);
  drawResult([lang, hall.round, hall.begun, games], hall, acts);
  drawPeople([lang, desk.entrants, desk.people], desk, acts);
}

const look = oneAtATime(PAUSE_MS, async () => {
  const answer = await get("director");
  if (answer.status === 403) {
    part("director-login").hidden = false;
    return;
  }
  if (answer.ok) store.dispatch({ desk: answer.data });
});

part("director-login").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (granted(await post("director/login", { pin: partOf(HTMLInputElement, "director-pin").value }))) look();
});

part("director-logout").addEventListener("click", async () => {
  if (granted(await post("director/logout"))) location.reload();
});

follow({
  state: showState,
  hall: (hall) => {
    store.dispatch({ hall });
    if (store.state.desk) look();
  },
});
onLanguage(() => draw(store.state));
look();
