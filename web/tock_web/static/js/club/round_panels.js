// The director's panels of a round: its steps, its tables, and seldom used actions.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { gameCard } from "./rows.js";

/** @import { DirectorView, HallView } from "#types" */
/** @import { Acts } from "./director_panels.js" */

/**
 * The steps of a round, each always in the same place and only the next one alive: a second tap on one hits no other.
 * @type {(hall: HallView, desk: DirectorView, acts: Acts) => HTMLElement}
 */
export function roundPanel(hall, desk, acts) {
  const waits = hall.round > 0 && !hall.begun;
  const isBetween = !waits && desk.open_games === 0 && !hall.closed;
  const hasMore = !hall.rounds || hall.round < hall.rounds;
  const areEnough = desk.entrants.filter(({ active }) => active).length > 1;
  const step = (/** @type {"pair" | "begin"} */ name, /** @type {boolean} */ isNext) =>
    button(isNext ? "main" : "wide", `do-${name}`, t(`club.${name}`), () => acts.act(name), {
      disabled: !isNext,
    });
  const title = hall.round ? t("club.round", { round: hall.round }) : t("club.before");
  const isOver = isBetween && hall.round > 0;
  return h(
    "section.panel",
    { testid: "round" },
    h("h2", hall.closed ? t("club.is-closed") : title),
    h(
      "div.setting-rows",
      step("pair", isBetween && hasMore && areEnough),
      step("begin", waits),
      h("p.director-state", { testid: "open-games" }, stateOf(hall, desk)),
      button(
        "wide",
        "do-close",
        t("club.close"),
        () => acts.end("close", {}, t("club.close"), t("club.ask-close")),
        {
          disabled: !isOver,
        },
      ),
    ),
  );
}

/** @type {(hall: HallView, desk: DirectorView) => string} */
function stateOf(hall, desk) {
  if (!hall.round || hall.closed) return "";
  if (!hall.begun) return t("club.not-begun");
  return desk.open_games ? t("club.open-games", { count: desk.open_games }) : t("club.all-in");
}

/** The tables of a round: players, scores and results. @param {HallView} hall */
export function gamesPanel(hall) {
  if (!hall.round) return null;
  const cards = hall.games.map((game) => gameCard(game, "h3", hall.begun));
  const title = h("h2", { id: "director-games-title" }, t("club.tables"));
  const region = { class: "hall-tables", role: "region", "aria-labelledby": title.id, tabindex: 0 };
  return h(
    "section.panel",
    { testid: "pairings" },
    title,
    hall.byes.length ? h("p", t("club.bye", { names: hall.byes.join(", ") })) : null,
    h("div", region, cards),
  );
}

/**
 * Panels that are seldom needed, away from the steps.
 * @type {(hall: HallView, desk: DirectorView, acts: Acts) => HTMLElement}
 */
export function morePanel(hall, desk, acts) {
  const link = (/** @type {string} */ href, /** @type {string} */ label) =>
    h("p.links", h("a", { href }, label));
  return h(
    "section.panel",
    { testid: "more" },
    h("h2", t("club.more")),
    h(
      "div.setting-rows",
      hall.round && !hall.begun
        ? button("wide", "do-drop", t("club.drop"), () => acts.end("drop", {}, t("club.drop"), []))
        : null,
      hall.begun && desk.open_games
        ? button("wide", "do-time", t("club.time"), () =>
            acts.end("time", {}, t("club.time"), t("club.ask-time")),
          )
        : null,
    ),
    link("/cards", t("club.cards")),
    link("/api/v1/director/standings.csv", t("club.csv")),
    link("/api/v1/director/evening.json", t("club.json")),
    h("h3", t("club.sensors", { count: desk.tables.length })),
    h(
      "ul",
      desk.tables.map((table) =>
        h(
          "li",
          t("club.sensor", { place: table.place, name: table.name }),
          table.online ? "" : ` – ${t("club.sensor-off")}`,
        ),
      ),
    ),
  );
}
