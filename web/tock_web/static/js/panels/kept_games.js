// The saved games: downloaded as files, or resumed, which ends the running one and so asks first.

import { post } from "../core/api.js";
import { h } from "../core/dom.js";
import { present } from "../core/store.js";
import { say, t } from "../core/words.js";
import { granted, toast } from "./frame.js";
import { onOpen } from "./journal.js";

/** @import { GameRow, HostView, KeptGameInfo } from "#types" */
/** @typedef {() => HostView | null} Newest the newest view */

/**
 * @param {HTMLElement} root
 * @param {HTMLInputElement} file takes a game that was kept
 * @param {Newest} newest
 */
export function gamesBox(root, file, newest) {
  const question = h("div");
  file.after(question);
  const look = async (/** @type {string} */ log) => {
    const found = await post("games/look", { log });
    question.replaceChildren(...present(granted(found) && asked(found.data, log, question, newest)));
    question.querySelector("button")?.focus();
  };
  onOpen(root, "games", ({ games }) => games.map((game) => gameRow(game, look)));
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
 * @param {string} log
 * @param {HTMLElement} question
 * @param {Newest} newest
 */
function asked(found, log, question, newest) {
  const close = () => question.replaceChildren();
  const goOn = async () => {
    if (granted(await post("games", { log }))) toast(t("game-back"), "good");
    close();
  };
  const button = (
    /** @type {string} */ testid,
    /** @type {() => void} */ onclick,
    /** @type {string} */ text,
  ) => h("button", { type: "button", class: "wide", testid, onclick }, text);
  const isReplaced = !newest()?.game.ended && !newest()?.lobby;
  return h(
    "div",
    { class: "sure", role: "alertdialog", testid: "game-sure" },
    h("p", {}, h("b", {}, whatItIs(found)), " ", say(found.sentence)),
    !found.over && isReplaced && h("p", {}, t("game-replaces")),
    found.over
      ? [h("p", {}, t("game-over")), button("game-no", close, t("close"))]
      : [button("game-yes", goOn, t("game-go-on")), button("game-no", close, t("no"))],
  );
}

/** @param {Pick<KeptGameInfo, "started_at" | "ruleset" | "moves">} game */
function whatItIs({ started_at: began, ruleset, moves }) {
  const when = began ? new Date(began).toLocaleString(document.documentElement.lang) : "";
  return `${[when, ruleset, t(moves > 1 ? "game-moves-many" : "game-moves", { n: moves })].filter(Boolean).join(" · ")}.`;
}

/**
 * @param {GameRow} game
 * @param {(log: string) => void} look
 */
function gameRow({ number, started_at: began, ruleset, moves, ended }, look) {
  const when = began ? new Date(began).toLocaleString(document.documentElement.lang) : "";
  const words = ` ${when} · ${ruleset} · ${t(`game-${ended ? "ended" : "running"}${moves > 1 ? "-many" : ""}`, { n: moves })}`;
  const address = `/api/v1/game.jsonl?number=${number}`;
  const onclick = async () => look(await (await fetch(address, { cache: "no-store" })).text());
  return h(
    "li",
    {},
    h("span", { class: "grow" }, h("b", {}, String(number)), words),
    ended &&
      h("button", { type: "button", class: "quiet", testid: `game-${number}`, onclick }, t("game-go-on")),
    h("a", { href: address, download: `tock-${number}.jsonl` }, t("game-keep")),
  );
}
