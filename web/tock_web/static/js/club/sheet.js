// A table without sensors: one side enters the result, another one confirms it with its own card.

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
    const { sheet } = this;
    const isAsking = sheet && sheet.begun && !sheet.game.result && !sheet.proposal;
    // The fields of a result that is being entered stay.
    if (sheet && !isAsking) this.look();
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
  draw({ game, begun, side, proposal, entered_by }) {
    if (!begun) return [gameCard(game, "h2", false), h("p.panel", t("club.sheet-wait"))];
    if (game.result)
      return [gameCard(game, "h2"), h("p.panel.good", { testid: "sheet-done" }, t("club.sheet-done"))];
    if (proposal)
      return [gameCard({ ...game, result: proposal }, "h2"), this.question(proposal.id, side === entered_by)];
    const fields = resultFields(game);
    const send = async (/** @type {Event} */ event) => {
      event.preventDefault();
      granted(await post("sheet/enter", { code: this.code, ...fields.entered() }));
      this.look();
    };
    const node = h("button.main", { type: "submit", testid: "sheet-send" }, t("club.sheet-send"));
    return [gameCard(game, "h2"), h("form.panel", { onsubmit: send }, fields.root, node)];
  }

  /** Ask whether the result is right, and wait for the others where it is this side's. */
  question(/** @type {string} */ result, /** @type {boolean} */ isOwn) {
    const say = async (/** @type {boolean} */ agrees) => {
      granted(await post("sheet/confirm", { code: this.code, result, agrees }));
      this.look();
    };

    return [
      h("p.panel", { role: "status" }, t(isOwn ? "club.sheet-others" : "club.sheet-ask")),
      h(
        "div.setting-rows",
        !isOwn && button("main", "sheet-yes", t("club.sheet-yes"), () => say(true)),
        button("wide", "sheet-no", t("club.sheet-no"), () => say(false)),
      ),
    ];
  }
}
