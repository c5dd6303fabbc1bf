// A table without sensors: one side enters the result, the phone goes to the other, which confirms it.

import { post } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { button, h, write } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { granted } from "../panels/frame.js";
import { resultFields } from "./result.js";
import { gameCard } from "./rows.js";

/** @import { ConnectionState, Sheet } from "#types" */

/** The next round comes by itself. */
const LOOK_EVERY_MS = 5_000;

/** @param {(state: ConnectionState) => void} showState */
export function showSheet(showState) {
  const field = partOf(HTMLInputElement, "sheet-text");
  const page = new SheetPage(location.hash.slice(1), showState);
  part("sheet-code").addEventListener("submit", (event) => {
    event.preventDefault();
    page.code = field.value.trim();
    page.look();
  });
  onLanguage(() => page.show());
  if (page.code) page.look();
  else {
    part("sheet-code").hidden = false;
    showState("live");
  }
  setInterval(() => page.lookAgain(), LOOK_EVERY_MS);
}

/** The game of one table, and the buttons of its players. */
class SheetPage {
  constructor(/** @type {string} */ code, /** @type {(state: ConnectionState) => void} */ showState) {
    this.code = code;
    this.showState = showState;
    /** @type {Sheet | null} */
    this.sheet = null;
    this.drawSheet = drawer(part("sheet"), (/** @type {Sheet} */ sheet) => this.draw(sheet));
  }

  lookAgain() {
    if (this.sheet && (this.sheet.game.result || !this.sheet.begun)) this.look();
  }

  async look() {
    const answer = await post("sheet", { code: this.code });
    this.showState(answer.status === 0 ? "lost" : "live");
    if (!granted(answer)) {
      part("sheet-code").hidden = answer.status === 0 && this.sheet !== null;
      return;
    }
    part("sheet-code").hidden = true;
    this.sheet = answer.data;
    this.show();
  }

  show() {
    const { sheet } = this;
    if (!sheet) return;
    const { round, game } = sheet;
    write(part("sheet-title"), `${t("club.round", { round })} – ${t("club.table", { table: game.table })}`);
    this.drawSheet([language(), sheet], sheet);
  }

  /** @param {Sheet} sheet */
  draw({ game, begun, proposal }) {
    if (!begun) return [gameCard(game, "h2", false), h("p.panel", t("club.sheet-wait"))];
    if (game.result)
      return [gameCard(game, "h2"), h("p.panel.good", { testid: "sheet-done" }, t("club.sheet-done"))];
    if (proposal) return [gameCard({ ...game, result: proposal }, "h2"), this.question(proposal.id)];
    const fields = resultFields(game);
    const send = async (/** @type {Event} */ event) => {
      event.preventDefault();
      granted(await post("sheet/enter", { code: this.code, ...fields.entered() }));
      this.look();
    };
    const node = h("button.main", { type: "submit", testid: "sheet-send" }, t("club.sheet-send"));
    return [gameCard(game, "h2"), h("form.panel", { onsubmit: send }, fields.root, node)];
  }

  /** Ask the other side whether the result is right. @param {string} result */
  question(result) {
    const say = async (/** @type {boolean} */ agrees) => {
      granted(await post("sheet/confirm", { code: this.code, result, agrees }));
      this.look();
    };

    return [
      h("p.panel", { role: "status" }, t("club.sheet-ask")),
      h(
        "div.setting-rows",
        button("main", "sheet-yes", t("club.sheet-yes"), () => say(true)),
        button("wide", "sheet-no", t("club.sheet-no"), () => say(false)),
      ),
    ];
  }
}
