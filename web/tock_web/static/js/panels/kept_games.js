// The saved games: downloaded as files, resumed, which ends the running one and so asks first, or deleted for ever.

import { seatStyles } from "../board/shapes.js";
import { post } from "../core/api.js";
import { bootstrap } from "../core/bootstrap.js";
import { button, choice, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { present } from "../core/store.js";
import { say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";
import { forgetButton } from "./forgetting.js";
import { onOpen } from "./journal.js";
import { colorName } from "./seats.js";

/** @import { Children, GameRow, HostView, KeptChair, KeptGameInfo } from "#types" */
/** @typedef {{ log: string } | { number: number }} Kept a game brought along, or one of those kept here */
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
  const look = async (/** @type {Kept} */ kept, people = "") => {
    const found = await post("games/look", kept);
    question.replaceChildren(...present(granted(found) && asked(found.data, people, kept, question, newest)));
    question.querySelector("button")?.focus();
  };
  onOpen(root, "games", ({ games, pictures, names }) => [
    ...games.map((game) => gameRow(game, pictures, look)),
    ...names.map(nameRow),
  ]);
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (chosen) await look({ log: await chosen.text() });
    file.value = "";
  });
}

/**
 * A summary of the game, and the question whether it replaces the running one.
 *
 * @param {KeptGameInfo} found
 * @param {string} people who played it, where that is known
 * @param {Kept} kept
 * @param {HTMLElement} question
 * @param {Newest} newest
 */
function asked(found, people, kept, question, newest) {
  const close = () => question.replaceChildren();
  const who = whoPlays(found.chairs, newest());
  const goOn = async () => {
    const replacing = isReplaced ? t("game-go-on") : null;
    const answer = await endOnceSure(
      "games",
      { ...kept, people: who.chosen() },
      replacing,
      t("game-replaces"),
    );
    if (granted(answer)) toast(t("game-back"), "good");
    close();
  };
  const isReplaced = !newest()?.game.ended && !newest()?.lobby;
  return h(
    "div.sure",
    { role: "alertdialog", testid: "game-sure" },
    h("p", h("b", [people, whatItIs(found)].filter(Boolean).join(" · ")), " ", say(found.sentence)),
    !found.over && isReplaced && h("p", t("game-replaces")),
    found.over
      ? [h("p", t("game-over")), button("wide", "game-no", t("close"), close)]
      : [
          who.rows,
          button("wide", "game-yes", t("game-go-on"), goOn),
          button("wide", "game-no", t("no"), close),
        ],
  );
}

/**
 * The question who plays whom: everybody has their own pawns already, where the names are known.
 * @type {(chairs: KeptChair[], view: HostView | null) => { rows: Children, chosen: () => Record<string, string> }}
 */
function whoPlays(chairs, view) {
  const people = view?.seats.filter(({ taken }) => taken) ?? [];
  const styles = seatStyles(bootstrap.board);
  const selects = chairs.map(({ seat, name, now }) => {
    const color = colorName(seat, styles);
    const label = name ? `${color} (${name})` : color;
    const attributes = { testid: `game-who-${seat}`, "aria-label": label };
    const seats = [null, ...people.map((one) => one.seat)];
    const nameOf = (/** @type {string | null} */ one) =>
      people.find((person) => person.seat === one)?.name ?? t("seat-free");
    return { seat, label, select: choice(attributes, seats, now ?? null, nameOf) };
  });
  return {
    rows: people.length > 0 && [
      h("p.label", t("game-who")),
      h(
        "ul.seats",
        selects.map(({ label, select }) => h("li", h("span", label), select)),
      ),
    ],
    chosen: () =>
      Object.fromEntries(
        selects.filter(({ select }) => select.value).map(({ seat, select }) => [seat, select.value]),
      ),
  };
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
 * @param {(kept: Kept, people: string) => void} look
 */
function gameRow({ number, started_at: began, title, people, moves, ended, won }, isDrawn, look) {
  const who = say(people);
  const outcome = won ? say(won) : t(ended ? "game-given-up" : "game-running");
  const small = [began && timeOf(began), say(title), countOf(moves), outcome].filter(Boolean).join(" · ");
  const address = `/api/v1/game.jsonl?number=${number}`;
  const onclick = () => look({ number }, who);
  return h(
    "li.kept",
    { testid: `kept-${number}` },
    isDrawn &&
      h("img", {
        src: `/api/v1/games/picture.png?number=${number}`,
        alt: "",
        width: 72,
        height: 72,
        loading: "lazy",
        onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).remove(),
      }),
    h("span.grow", h("b", began ? `${who}, ${dayOf(began)}` : who), h("small", small)),
    ended && !won && button("quiet", `game-${number}`, t("game-go-on"), onclick),
    h("a", { href: address, download: `tock-${number}.jsonl` }, t("game-keep")),
    forgetButton({ game: number }, began ? `${who}, ${dayOf(began)}` : who),
  );
}

/** A name in kept games and scores. @param {string} name */
function nameRow(name) {
  return h("li.kept", { testid: "kept-name" }, h("b.grow", name), forgetButton({ name }, name));
}
