// The host's boards: one is laid for the next game; all can be named, shared, printed and taken in.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { Store, drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { NO_BOARDS, reduceBoardList } from "../state/board_list.js";
import { granted, toast } from "./frame.js";

/** @import { BoardRow, HostView } from "#types" */
/** @import { BoardListAction, BoardListState } from "../state/board_list.js" */

const SHEETS = /** @type {const} */ (["paper", "drill"]);
const MAX_NAME_CHARS = 60;

export class BoardsPanel {
  /** @param {HTMLElement} root of the sheet */
  constructor(root) {
    const list = h("ul", { class: "boards", testid: "boards" });
    const file = h("input", { type: "file", accept: ".json,application/json", testid: "board-file" });
    file.id = "board-file";
    file.addEventListener("change", () => this.takeIn(file));
    this.label = h("label", { for: "board-file" });
    this.what = h("p", { class: "hint-line" });
    root.replaceChildren(this.what, list, this.label, file);
    /** @type {HostView | null} */
    this.view = null;
    this.draw = drawer(list, (/** @type {BoardListState} */ state) => state.rows.map((row) => this.row(row)));
    /** @type {Store<BoardListState, BoardListAction>} */
    this.store = new Store(reduceBoardList, NO_BOARDS, () => this.refresh());
    onLanguage(() => this.refresh());
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest('[data-open="boards"]')) this.fetch();
    });
    this.refresh();
  }

  /** @param {HostView} view */
  update(view) {
    this.view = view;
  }

  refresh() {
    this.what.textContent = t("boards.what");
    this.label.textContent = t("boards.take-in");
    this.draw([language(), this.store.state], this.store.state);
  }

  async fetch() {
    const answer = await get("boards");
    if (granted(answer)) this.store.dispatch({ type: "listed", rows: [...answer.data.boards] });
  }

  /** @param {BoardRow} board */
  row(board) {
    const { key, zones, holes, own, in_use: inUse } = board;
    const { sure, renaming, removing } = this.store.state;
    return h(
      "li",
      { testid: `board-row-${key}`, class: "board-row" },
      h("p", {}, h("b", {}, nameOf(board)), h("small", {}, t("boards.size", { zones, holes }))),
      inUse ? h("p", { class: "good" }, "✓ ", t("boards.in-use")) : this.chooser(board),
      sure === key && h("p", { class: "bad", role: "alert" }, t("boards.ends-game")),
      h(
        "details",
        // A question about a board stays in sight.
        { open: key === renaming || key === removing },
        h("summary", {}, t("boards.more")),
        own && this.naming(board),
        h(
          "a",
          { href: `/api/v1/boards/file?key=${encodeURIComponent(key)}`, download: `${key}.json` },
          t("boards.share"),
        ),
        SHEETS.map((drawing) => sheetLink(key, drawing)),
        own && !inUse && this.remover(board),
      ),
    );
  }

  /** @param {BoardRow} board */
  chooser({ key }) {
    const { sure, isLaying } = this.store.state;
    const onclick = () => this.choose(key);
    const attributes = {
      type: "button",
      class: sure === key ? "wide danger" : "wide",
      disabled: isLaying,
      onclick,
    };
    return h(
      "button",
      { ...attributes, testid: `board-choose-${key}` },
      t(sure === key ? "boards.choose-sure" : "boards.choose"),
    );
  }

  /** @param {string} key */
  async choose(key) {
    const { view } = this;
    const endsGame = Boolean(view && !view.lobby && !view.game.ended);
    this.store.dispatch({ type: "chosen", key, endsGame });
    if (!this.store.state.isLaying) return;
    const answer = await post("boards/choose", { key });
    // The companion lays the other board now: every page comes back by itself.
    if (granted(answer)) toast(t("boards.laying"), "good");
    else this.store.dispatch({ type: "refused" });
  }

  /** @param {BoardRow} board */
  naming({ key, name }) {
    if (this.store.state.renaming !== key) {
      const onclick = () => this.store.dispatch({ type: "renaming", key });
      return button("quiet", `board-rename-${key}`, t("boards.rename"), onclick);
    }
    const input = h("input", {
      value: name,
      maxlength: MAX_NAME_CHARS,
      testid: "board-name",
      "aria-label": t("boards.name"),
    });
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.change("boards/rename", { key, name: input.value.trim() });
    };
    return h(
      "form",
      { onsubmit },
      input,
      h("button", { type: "submit", class: "wide", testid: "board-name-save" }, t("save")),
    );
  }

  /** @param {BoardRow} board */
  remover({ key }) {
    const isSure = this.store.state.removing === key;
    const onclick = () => {
      if (isSure) this.change("boards/remove", { key });
      else this.store.dispatch({ type: "removing", key });
    };
    const attributes = {
      type: "button",
      class: isSure ? "wide danger" : "quiet",
      testid: `board-remove-${key}`,
    };
    return h("button", { ...attributes, onclick }, t(isSure ? "boards.remove-sure" : "boards.remove"));
  }

  /** @type {(path: "boards/rename" | "boards/remove", data: object) => Promise<void>} */
  async change(path, data) {
    if (granted(await post(path, data))) await this.fetch();
    else this.store.dispatch({ type: "dropped" });
  }

  /** @param {HTMLInputElement} input */
  async takeIn(input) {
    const chosen = input.files?.[0];
    const answer = chosen && (await post("boards", { file: await chosen.text() }));
    input.value = "";
    if (!answer || !granted(answer)) return;
    toast(t("boards.taken-in"), "good");
    await this.fetch();
  }
}

/** @param {BoardRow} board */
function nameOf({ key, name, zones }) {
  return key.startsWith("standard-") ? t("boards.standard", { zones }) : name;
}

/** @type {(key: string, drawing: (typeof SHEETS)[number]) => HTMLAnchorElement} */
function sheetLink(key, drawing) {
  const href = `/api/v1/boards/sheets?key=${encodeURIComponent(key)}&drawing=${drawing}`;
  return h("a", { href, target: "_blank", rel: "noopener" }, t(`boards.print-${drawing}`));
}
