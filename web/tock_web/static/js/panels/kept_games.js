// The saved games: downloaded as files, or resumed, which ends the running one and so asks first.

import { post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { present } from "../core/store.js";
import { say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";
import { onOpen } from "./journal.js";

/** @import { GameRow, HostView, KeptGameInfo } from "#types" */
/** @typedef {() => HostView | null} Newest the newest view */

/** Shorter than a week: the same day last week goes by its date. */
const WEEK_MS = 6 * 24 * 3_600_000;

/**
 * @param {HTMLElement} root
 * @param {HTMLInputElement} file takes a game that was kept
 * @param {Newest} newest
 */
export function gamesBox(root, file, newest) {
  const question = h("div");
  file.after(question);
  const look = async (/** @type {string} */ log, people = "") => {
    const found = await post("games/look", { log });
    question.replaceChildren(...present(granted(found) && asked(found.data, people, log, question, newest)));
    question.querySelector("button")?.focus();
  };
  onOpen(root, "games", ({ games, pictures }) => games.map((game) => gameRow(game, pictures, look)));
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (chosen) await look(await chosen.text());
    file.value = "";
  });
}

/**
 * A summary of the game, and the question whether it replaces the running one.
 *
 * @param {KeptGameInfo} found
 * @param {string} people who played it, where that is known
 * @param {string} log
 * @param {HTMLElement} question
 * @param {Newest} newest
 */
function asked(found, people, log, question, newest) {
  const close = () => question.replaceChildren();
  const goOn = async () => {
    if (granted(await post("games", { log }))) toast(t("game-back"), "good");
    close();
  };
  const isReplaced = !newest()?.game.ended && !newest()?.lobby;
  return h(
    "div",
    { class: "sure", role: "alertdialog", testid: "game-sure" },
    h("p", {}, h("b", {}, [people, whatItIs(found)].filter(Boolean).join(" · ")), " ", say(found.sentence)),
    !found.over && isReplaced && h("p", {}, t("game-replaces")),
    found.over
      ? [h("p", {}, t("game-over")), button("wide", "game-no", t("close"), close)]
      : [button("wide", "game-yes", t("game-go-on"), goOn), button("wide", "game-no", t("no"), close)],
  );
}

/** @param {KeptGameInfo} game */
function whatItIs({ started_at: began, title, moves }) {
  return `${[began && `${dayOf(began)} ${timeOf(began)}`, say(title), countOf(moves)].filter(Boolean).join(" · ")}.`;
}

/** @param {number} moves */
function countOf(moves) {
  return t(moves > 1 ? "game-moves-many" : "game-moves", { n: moves });
}

/** A day of the last week by its name, any other by its date. @param {string} began */
function dayOf(began) {
  const [then, now] = [new Date(began), new Date()];
  const isNear = now.getTime() - then.getTime() < WEEK_MS;
  /** @type {Intl.DateTimeFormatOptions} */
  const date = { day: "numeric", month: "long" };
  if (then.getFullYear() !== now.getFullYear()) date.year = "numeric";
  return then.toLocaleDateString(document.documentElement.lang, isNear ? { weekday: "long" } : date);
}

/** @param {string} began */
function timeOf(began) {
  const parts = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
  return new Date(began).toLocaleTimeString(document.documentElement.lang, parts);
}

/**
 * A kept game: players, date and result; only a game that was given up goes on.
 *
 * @param {GameRow} game
 * @param {boolean} isDrawn with a picture of its board
 * @param {(log: string, people: string) => void} look
 */
function gameRow({ number, started_at: began, title, people, moves, ended, won }, isDrawn, look) {
  const who = say(people);
  const outcome = won ? say(won) : t(ended ? "game-given-up" : "game-running");
  const small = [began && timeOf(began), say(title), countOf(moves), outcome].filter(Boolean).join(" · ");
  const address = `/api/v1/game.jsonl?number=${number}`;
  const onclick = async () => look(await (await fetch(address, { cache: "no-store" })).text(), who);
  return h(
    "li",
    { class: "kept", testid: `kept-${number}` },
    isDrawn &&
      h("img", {
        src: `/api/v1/games/picture.png?number=${number}`,
        alt: "",
        width: 72,
        height: 72,
        loading: "lazy",
        onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).remove(),
      }),
    h("span", { class: "grow" }, h("b", {}, began ? `${who}, ${dayOf(began)}` : who), h("small", {}, small)),
    ended && !won && button("quiet", `game-${number}`, t("game-go-on"), onclick),
    h("a", { href: address, download: `tock-${number}.jsonl` }, t("game-keep")),
  );
}
