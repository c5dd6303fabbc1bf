// The hall's screen and every player's phone: who plays where, results, standings.

import { part, partOf, recall, remember } from "../core/bootstrap.js";
import { h, write } from "../core/dom.js";
import { drawer, Store } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { NO_EVENING, meantBy, placeOf, reduceEvening } from "./state.js";
import { gameCard, standingsTables } from "./rows.js";
import { follow } from "./stream.js";

/** @import { ConnectionState, HallView } from "#types" */
/** @import { EveningState, EveningAction } from "./state.js" */

/** A screen on a wall, at which people look from afar. */
const WALL = matchMedia("(min-width: 60rem) and (orientation: landscape)");
const SMALLEST = 0.45;
/** Interval at which the minutes left are updated. */
const LEFT_EVERY_MS = 10_000;

/** @param {(state: ConnectionState) => void} showState */
export function showHall(showState) {
  const input = partOf(HTMLInputElement, "hall-name");
  input.value = recall("club-name", "");
  const screen = new HallScreen();
  /** @type {Store<EveningState, EveningAction>} */
  const store = new Store(reduceEvening, { ...NO_EVENING, name: input.value }, (state) => screen.draw(state));
  input.addEventListener("input", () => {
    remember("club-name", input.value.trim());
    store.dispatch({ type: "named", name: input.value.trim() });
  });
  part("hall-me").addEventListener("submit", (event) => event.preventDefault());
  follow({
    state: showState,
    hall: (hall) => store.dispatch({ type: "hall", hall, nowMs: Date.now() }),
    standings: (rows) => store.dispatch({ type: "standings", rows }),
  });
  onLanguage(() => screen.draw(store.state));
  addEventListener("resize", () => screen.draw(store.state));
  setInterval(() => screen.draw(store.state), LEFT_EVERY_MS);
}

/** Make the evening small enough for a screen on the wall: nobody scrolls there. */
function fit() {
  const { style } = part("hall");
  style.zoom = "1";
  if (!WALL.matches) return;
  for (let size = 1; size > SMALLEST && document.documentElement.scrollHeight > innerHeight; size -= 0.05) {
    style.zoom = String(size);
  }
}

/** The parts of the page that change with the evening. */
class HallScreen {
  constructor() {
    this.drawStandings = drawer(part("hall-standings"), standingsTables);
    this.drawMore = drawer(part("hall-more"), more);
    this.drawNames = drawer(part("hall-names"), (/** @type {string[]} */ names) =>
      names.map((value) => h("option", { value })),
    );
    /** @type {Map<number, { key: string, card: HTMLElement }>} */
    this.cards = new Map();
  }

  /** @param {EveningState} state */
  draw(state) {
    const { hall } = state;
    if (!hall) return;
    write(part("hall-title"), hall.tournament ? `${hall.club} – ${hall.tournament}` : hall.club);
    write(part("hall-round"), roundText(state));
    this.drawGames(hall);
    this.drawStandings([language(), state.standings], state.standings);
    this.drawMore([language(), hall.byes, hall.corrections, hall.groups], hall);
    const names = hall.games.flatMap((game) => game.sides.flat());
    this.drawNames(names, names);
    write(part("hall-mine"), mine(state));
    fit();
  }

  /** @param {HallView} hall */
  drawGames(hall) {
    const shown = hall.games.map((game) => {
      const key = JSON.stringify([language(), hall.begun, game]);
      const known = this.cards.get(game.table);
      if (known && known.key === key) return known.card;
      const card = gameCard(game, "h3", hall.begun);
      this.cards.set(game.table, { key, card });
      return card;
    });
    const root = part("hall-tables");
    if (shown.length !== root.children.length) {
      root.replaceChildren(...shown);
      return;
    }
    // One result changes one card: two hundred are not laid out again for it.
    shown.forEach((card, place) => {
      if (root.children[place] !== card) root.replaceChild(card, root.children[place]);
    });
  }
}

/** @param {EveningState} state */
function roundText({ hall, endsMs }) {
  if (!hall) return "";
  if (!hall.tournament) return t("club.no-tournament");
  if (hall.closed) return t("club.is-closed");
  if (hall.round === 0) return t("club.before");
  const { round, rounds } = hall;
  const text = rounds ? t("club.round-of", { round, rounds }) : t("club.round", { round });
  if (!hall.begun) return `${text} – ${t("club.not-begun")}`;
  if (endsMs === null) return text;
  const minutes = Math.ceil((endsMs - Date.now()) / 60_000);
  const left = minutes > 0 ? t("club.left", { minutes }) : t("club.time-up");
  return `${text} – ${left}`;
}

/** @param {HallView} hall */
function more(hall) {
  return [
    hall.byes.length ? h("p", t("club.bye", { names: hall.byes.join(", ") })) : null,
    ...hall.groups.map((names, index) =>
      h("p", h("b", t("club.group", { group: index + 1 })), ` ${names.join(", ")}`),
    ),
    hall.corrections.length ? h("h3", t("club.corrections")) : null,
    ...hall.corrections.map((each) => h("p", t("club.correction", { ...each }))),
  ];
}

/** @param {EveningState} state */
function mine({ hall, name: typed }) {
  if (!hall?.round || !typed) return "";
  const meant = meantBy(hall, typed);
  if (meant.length > 1) return t("club.me-which", { names: meant.join(", ") });
  const [name = typed] = meant;
  const place = placeOf(hall, name);
  if (place === "bye") return t("club.me-bye", { name });
  if (place === null) return t("club.me-none");
  const mates = place.sides.find((side) => side.includes(name))?.filter((other) => other !== name) ?? [];
  const others = place.sides.filter((side) => !side.includes(name)).flat();
  const names = others.join(", ");
  const who = mates.length
    ? t("club.me-mates", { mates: mates.join(", "), names })
    : t("club.me-with", { names });
  return `${t("club.me-at", { name, table: place.table })} – ${who}`;
}
