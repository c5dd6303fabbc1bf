// A table without sensors: one side enters the result, the phone goes to the other, which confirms it.

import { resultFields } from "../club/result.js";
import { gameCard } from "../club/rows.js";
import { post } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { h, write } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { bar, granted } from "../panels/frame.js";

/** @import { Sheet } from "#types" */

const showState = bar();
const drawSheet = drawer(part("sheet"), draw);
const field = partOf(HTMLInputElement, "sheet-text");
/** @type {{ code: string, sheet: Sheet | null }} */
const state = { code: location.hash.slice(1), sheet: null };

async function look() {
  const answer = await post("sheet", { code: state.code });
  showState(answer.status === 0 ? "lost" : "live");
  if (!granted(answer)) {
    part("sheet-code").hidden = answer.status === 0 && state.sheet !== null;
    return;
  }
  part("sheet-code").hidden = true;
  state.sheet = answer.data;
  show();
}

function show() {
  const { sheet } = state;
  if (!sheet) return;
  write(
    part("sheet-title"),
    `${t("club.round", { round: sheet.round })} – ${t("club.table", { table: sheet.game.table })}`,
  );
  drawSheet([language(), sheet], sheet);
}

/** @param {Sheet} sheet */
function draw(sheet) {
  const { game, proposal } = sheet;
  if (!sheet.begun) return [gameCard(game, "h2"), h("p", { class: "panel" }, t("club.sheet-wait"))];
  if (game.result)
    return [
      gameCard(game, "h2"),
      h("p", { class: "panel good", testid: "sheet-done" }, t("club.sheet-done")),
    ];
  if (proposal) {
    const say = async (/** @type {boolean} */ agrees) => {
      granted(await post("sheet/confirm", { code: state.code, result: proposal.id, agrees }));
      look();
    };
    return [
      gameCard({ ...game, result: proposal }, "h2"),
      h("p", { class: "panel", role: "status" }, t("club.sheet-ask")),
      h(
        "div",
        { class: "setting-rows" },
        h(
          "button",
          { type: "button", class: "main", testid: "sheet-yes", onclick: () => say(true) },
          t("club.sheet-yes"),
        ),
        h(
          "button",
          { type: "button", class: "wide", testid: "sheet-no", onclick: () => say(false) },
          t("club.sheet-no"),
        ),
      ),
    ];
  }
  const fields = resultFields(game);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    granted(await post("sheet/enter", { code: state.code, ...fields.told() }));
    look();
  };
  const button = h("button", { type: "submit", class: "main", testid: "sheet-send" }, t("club.sheet-send"));
  return [gameCard(game, "h2"), h("form", { class: "panel", onsubmit: send }, fields.root, button)];
}

part("sheet-code").addEventListener("submit", (event) => {
  event.preventDefault();
  state.code = field.value.trim();
  look();
});
onLanguage(show);
if (state.code) look();
else {
  part("sheet-code").hidden = false;
  showState("live");
}
// The next round comes by itself.
setInterval(() => {
  if (state.sheet && (state.sheet.game.result || !state.sheet.begun)) look();
}, 5_000);
