// The director's page: every task of a tournament that needs a person.

import { get, post, upload } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { drawer, valueStore } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { granted, toast } from "../panels/frame.js";
import { peoplePanel, resultPanel, troublePanel } from "./director_panels.js";
import { openPanel } from "./opening.js";
import { gamesPanel, morePanel, roundPanel } from "./round_panels.js";
import { follow, oneAtATime } from "./stream.js";

/** @import { ConnectionState, DirectorView, HallView } from "#types" */
/** @import { Acts } from "./director_panels.js" */
/** @typedef {{ hall: HallView | null, desk: DirectorView | null }} DirectorState */

/** Results come in bursts: the director's own view is fetched at most this often. */
const PAUSE_MS = 500;

/** @param {(state: ConnectionState) => void} showState */
export function showDirector(showState) {
  const panels = new DirectorPanels(actsThen(() => look()));
  const store = valueStore(/** @type {DirectorState} */ ({ hall: null, desk: null }), (state) =>
    panels.draw(state),
  );
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
    const pin = partOf(HTMLInputElement, "director-pin").value;
    if (granted(await post("director/login", { pin }))) look();
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
  onLanguage(() => panels.draw(store.state));
  look();
}

/** The director's requests to the desk; `look` shows the outcome. @type {(look: () => void) => Acts} */
function actsThen(look) {
  /** @type {(answer: Parameters<typeof granted>[0], aloud?: boolean) => void} */
  const noted = (answer, aloud = true) => {
    if (!granted(answer)) return;
    if (aloud) toast(t("club.saved"), "good");
    look();
  };
  return {
    act: async (path) => noted(await post(`director/${path}`), path !== "seen"),
    end: async (path, data, yes, question) =>
      noted(await endOnceSure(`director/${path}`, data, question ? yes : null, question)),
    enter: async (text) => noted(await post("director/enter", { text })),
    read: async (list) => {
      const answer = await upload("director/list", new Blob([list], { type: "text/csv" }));
      return granted(answer) ? answer.data : null;
    },
    turn: async (entrant, active) =>
      noted(await post(active ? "director/return" : "director/withdraw", { entrant })),
    result: async (data) => noted(await post("director/result", data)),
  };
}

/** The panels of the page, each drawn again only when something in it has changed. */
class DirectorPanels {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    const boxes = ["trouble", "round", "games", "result", "people", "more", "open"].map((name) =>
      h("div", { id: `director-${name}` }),
    );
    part("director").append(...boxes);
    const [trouble, round, games, result, people, more, open] = boxes;
    this.ofTournament = [round, games, result, people, more];
    this.drawTrouble = drawer(trouble, troublePanel);
    this.drawRound = drawer(round, roundPanel);
    this.drawGames = drawer(games, gamesPanel);
    this.drawMore = drawer(more, morePanel);
    this.drawResult = drawer(result, resultPanel);
    this.drawPeople = drawer(people, peoplePanel);
    this.drawOpen = drawer(open, openPanel);
  }

  /** @param {DirectorState} state */
  draw({ hall, desk }) {
    part("director-login").hidden = desk !== null;
    part("director").hidden = desk === null;
    part("director-logout").hidden = desk === null;
    if (!hall || !desk) return;
    const { acts } = this;
    const lang = language();
    this.drawTrouble([lang, desk.trouble, desk.broker, desk.tables.length], desk, acts);
    const running = hall.closed ? null : hall.tournament;
    this.drawOpen([lang, running], running, desk, acts);
    for (const box of this.ofTournament) box.hidden = hall.tournament === null;
    const at = [lang, hall.round, hall.begun, hall.closed];
    this.drawRound([...at, hall.rounds, desk.open_games, desk.entrants], hall, desk, acts);
    this.drawGames([...at, hall.games, hall.byes], hall);
    // A question that is open there stays while results come in.
    this.drawMore([...at, desk.open_games === 0, desk.tables], hall, desk, acts);
    const games = hall.games.map((game) => game.sides);
    this.drawResult([lang, hall.round, hall.begun, games], hall, acts);
    this.drawPeople([lang, desk.entrants, desk.people], desk, acts);
  }
}
