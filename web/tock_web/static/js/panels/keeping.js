// What the host looks up now and then: games to keep, what the referee decided and why.

import { get, post } from "../core/api.js";
import { h } from "../core/dom.js";
import { say, t } from "../core/words.js";
import { evidenceOf } from "./evidence.js";
import { granted, toast } from "./toast.js";

/** Fill a folded box each time it is opened. */
function onOpen(box, path, rows) {
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    const answer = await get(path);
    box.querySelector("ul").replaceChildren(...(answer.ok ? rows(answer.data) : [h("li", {}, t("refused"))]));
  });
}

export function gamesBox(box, file) {
  onOpen(box, "games", ({ games }) => games.map(gameRow));
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (chosen && granted(await post("games", { log: await chosen.text() }))) toast(t("game-back"), "good");
    file.value = "";
  });
}

function gameRow({ number, started_at: began, ruleset, moves, ended }) {
  const when = began ? new Date(began).toLocaleString(document.documentElement.lang) : "";
  const words = t(ended ? "game-ended" : "game-running", { n: moves });
  return h(
    "li",
    {},
    h("span", { class: "grow" }, h("b", {}, `${number}`), ` ${when} · ${ruleset} · ${words}`),
    h("a", { href: `/api/v1/game.jsonl?number=${number}`, download: `tock-${number}.jsonl` }, t("game-keep")),
  );
}

/** `present()` returns the game of the present view. */
export function journalBox(box, present) {
  onOpen(box, "journal", ({ events }) => events.map((entry) => eventRow(entry, present())));
}

function eventRow({ seq, t_ms: at, event: kind, seat, by, card, move, text, evidence, message, why }, game) {
  const minutes = `${Math.floor(at / 60_000)}:${String(Math.floor(at / 1000) % 60).padStart(2, "0")}`;
  const sure = evidence?.confidence ? t("journal-sure", { n: Math.round(evidence.confidence * 100) }) : null;
  const words = [seat, card, move ?? text, say(message), why, by ?? evidence?.by, sure]
    .filter(Boolean)
    .join(" · ");
  return h(
    "li",
    {},
    h("small", {}, `${seq} · ${minutes}`),
    h("span", {}, h("b", {}, t(`event.${kind}`)), " ", words),
    kind === "move_accepted" && evidenceOf(seq, game),
  );
}
