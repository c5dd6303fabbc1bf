// The host's records: the referee's decisions, and the evidence for a move, whose pictures may be deleted.

import { get } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { present } from "../core/store.js";
import { say, t, tNamed } from "../core/words.js";
import { cardName } from "./cards.js";
import { forgetButton } from "./forgetting.js";
import { granted } from "./frame.js";
import { rulesAbout } from "./rules.js";
import { seatName } from "./seats.js";

/** @import { Children, Evidence, GameInfo, Gets, JournalEntry, SeatStyles, View, Word } from "#types" */

/**
 * Fill a folded box each time it is opened.
 *
 * @template {"games" | "journal"} P
 * @param {HTMLElement} root
 * @param {P} path
 * @param {(data: Gets[P]) => HTMLElement[]} rows
 */
export function onOpen(root, path, rows) {
  root.addEventListener("toggle", async () => {
    if (!(root instanceof HTMLDetailsElement) || !root.open) return;
    const answer = await get(path);
    const shown = answer.ok ? rows(answer.data) : [h("li", t("refused"))];
    root.querySelector("ul")?.replaceChildren(...shown);
  });
}

/** @type {(root: HTMLElement, styles: SeatStyles, viewNow: () => View | undefined) => void} */
export function journalBox(root, styles, viewNow) {
  onOpen(root, "journal", ({ events, position }) => [
    positionRow(position),
    ...events.map((entry) => journalRow(entry, styles, viewNow())),
  ]);
}

/** The position to copy into a report. @param {string} position */
function positionRow(position) {
  const field = h("textarea", { readonly: true, rows: 2, testid: "journal-position" });
  field.value = position;
  return h("li", h("label", t("journal-position"), field));
}

/** @type {(entry: JournalEntry, styles: SeatStyles, view: View | undefined) => HTMLLIElement} */
function journalRow(entry, styles, view) {
  const { seq, t_ms: atMs, event, evidence, card, text, message, why } = entry;
  const seconds = String(Math.floor(atMs / 1000) % 60).padStart(2, "0");
  const time = `${Math.floor(atMs / 60_000)}:${seconds}`;
  const confidence = evidence?.confidence;
  const sure = confidence ? t("journal-sure", { n: Math.round(confidence * 100) }) : null;
  const person = (/** @type {string | undefined} */ code) => {
    const sitting = view?.seats.find(({ seat }) => seat === code);
    return sitting ? seatName(sitting, styles) : code;
  };
  const played = view?.history.find((one) => one.seq === seq);
  const by = person(entry.by ?? evidence?.by);
  const words = played
    ? [say(played.label)]
    : [person(entry.seat), card && cardName(card), text, say(message), why];
  return h(
    "li",
    h("small", `${seq} · ${time}`),
    h("span", h("b", tNamed("event.", event)), " ", [...words, by, sure].filter(Boolean).join(" · ")),
    event === "move_accepted" && view && evidenceOf(seq, view.game),
  );
}

/**
 * A button that unfolds the evidence for an event below it.
 * @type {(seq: number, game: GameInfo) => (HTMLButtonElement | HTMLDivElement)[]}
 */
function evidenceOf(seq, game) {
  const box = h("div.evidence", { "aria-live": "polite" });
  const onclick = async () => {
    if (box.hasChildNodes()) {
      box.replaceChildren();
      return;
    }
    const answer = await get("evidence", { seq });
    if (granted(answer)) box.replaceChildren(...present(await evidenceRows(answer.data, game)));
  };
  return [button("quiet", "evidence", t("evidence"), onclick), box];
}

/**
 * The holes before and after the move, how sure the referee was, and the rule.
 * @type {(evidence: Evidence, game: GameInfo) => Promise<Children>}
 */
async function evidenceRows({ seq, probability, rule, pictures, places }, game) {
  const rules = await rulesAbout(game, rule.slice(0, 1));
  const picture = (/** @type {string} */ name, /** @type {Word} */ alt) => {
    if (!pictures.includes(name)) return null;
    const src = `/api/v1/evidence/picture?seq=${seq}&name=${encodeURIComponent(name)}`;
    return h("img", { src, alt: t(alt), width: 72, height: 72 });
  };
  const pair = (/** @type {string} */ hole) => [
    picture(`before/${hole}`, "evidence-before"),
    h("span", { "aria-hidden": "true" }, "→"),
    picture(`after/${hole}`, "evidence-after"),
    h("figcaption", say(places[hole])),
  ];
  return [
    probability ? h("p", t("journal-sure", { n: percent(probability) })) : null,
    rules.map((line) => h("p.hint-line", say(line))),
    Object.keys(places).map((hole) =>
      h("figure", { testid: "evidence-hole", "data-hole": hole }, pair(hole)),
    ),
    pictures.includes("card") &&
      h("figure", picture("card", "evidence-card"), h("figcaption", t("evidence-card"))),
    pictures.length ? forgetButton({ seq }, t("game-forget-pictures")) : h("p", t("evidence-none")),
  ];
}

/** Nothing is ever quite certain. @param {number} probability */
function percent(probability) {
  return Math.min(99.9, Math.floor(1000 * probability) / 10).toLocaleString(document.documentElement.lang);
}
