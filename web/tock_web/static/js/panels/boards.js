// The host's boards: one is laid for the next game; all can be named, shared, printed and taken in.

import { get, post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { endOnceSure } from "../core/ending.js";
import { drawer, valueStore } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { granted, toast } from "./frame.js";
import { endsGame, endsWarning, whoMoves } from "./who_moves.js";

/** @import { BoardRow, HostView, Reply } from "#types" */
/**
 * @typedef {object} BoardListState
 * @property {BoardRow[]} rows
 * @property {string | null} renaming the key of the board whose name is being changed
 * @property {boolean} isLaying another board is being laid
 */

const SHEETS = /** @type {const} */ (["paper", "drill"]);
const SIZES = /** @type {const} */ (["a4", "letter"]);
const MAX_NAME_CHARS = 60;

export class BoardsPanel {
  /** @param {HTMLElement} root of the sheet */
  constructor(root) {
    const list = h("ul.boards", { testid: "boards" });
    const file = h("input", { type: "file", accept: ".json,application/json", testid: "board-file" });
    file.id = "board-file";
    file.addEventListener("change", () => this.takeIn(file));
    this.label = h("label", { for: "board-file" });
    this.what = h("p.hint-line");
    root.replaceChildren(this.what, list, this.label, file);
    /** @type {HostView | null} */
    this.view = null;
    this.draw = drawer(list, (/** @type {BoardListState} */ state) => state.rows.map((row) => this.row(row)));
    this.store = valueStore(
      /** @type {BoardListState} */ ({ rows: [], renaming: null, isLaying: false }),
      () => this.refresh(),
    );
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
    if (granted(answer)) this.store.dispatch({ rows: [...answer.data.boards], renaming: null });
  }

  /** @param {BoardRow} board */
  row(board) {
    const { key, zones, holes, own, in_use: inUse } = board;
    const { renaming } = this.store.state;
    return h(
      "li.board-row",
      { testid: `board-row-${key}` },
      h("p", h("b", nameOf(board)), h("small", t("boards.size", { zones, holes }))),
      inUse ? h("p.good", "✓ ", t("boards.in-use")) : this.chooser(board),
      h(
        "details",
        // A question about a board stays in sight.
        { open: key === renaming },
        h("summary", t("boards.more")),
        own && this.naming(board),
        h(
          "a",
          { href: `/api/v1/boards/file?key=${encodeURIComponent(key)}`, download: `${key}.json` },
          t("boards.share"),
        ),
        SHEETS.map((drawing) => SIZES.map((size) => sheetLink(key, drawing, size))),
        own && !inUse && this.remover(board),
      ),
    );
  }

  /** @param {BoardRow} board */
  chooser(board) {
    const { key } = board;
    const { isLaying } = this.store.state;
    const onclick = () => this.choose(board);
    return button("wide", `board-choose-${key}`, t("boards.choose"), onclick, { disabled: isLaying });
  }

  /** @param {BoardRow} board */
  async choose(board) {
    const { key } = board;
    const moved = this.view ? whoMoves(this.view, board.places, board.colors) : [];
    const yes = endsGame(this.view) || moved.length > 0 ? t("boards.choose-sure") : null;
    this.store.dispatch({ isLaying: true, renaming: null });
    const answer = await endOnceSure("boards/choose", { key }, yes, endsWarning(this.view, moved));
    // The companion lays the other board now: every page comes back by itself.
    if (granted(answer)) toast(t("boards.laying"), "good");
    else this.store.dispatch({ isLaying: false });
  }

  /** @param {BoardRow} board */
  naming({ key, name }) {
    if (this.store.state.renaming !== key) {
      const onclick = () => this.store.dispatch({ renaming: key });
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
      this.changed(post("boards/rename", { key, name: input.value.trim() }));
    };
    return h(
      "form",
      { onsubmit },
      input,
      h("button.wide", { type: "submit", testid: "board-name-save" }, t("save")),
    );
  }

  /** @param {BoardRow} board */
  remover(board) {
    const { key } = board;
    const named = h("p", h("b", nameOf(board)));
    const onclick = () => this.changed(endOnceSure("boards/remove", { key }, t("boards.remove-sure"), named));
    return button("quiet", `board-remove-${key}`, t("boards.remove"), onclick);
  }

  /** @param {Promise<Reply<unknown>>} answer */
  async changed(answer) {
    if (granted(await answer)) await this.fetch();
    else this.store.dispatch({ renaming: null });
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
  if (/^standard-\d$/.test(key)) return t("boards.standard", { zones });
  // The name of a board drawn for a game begins with the game's.
  return key.startsWith("standard-") ? t("boards.of-game", { game: name.split(",")[0], zones }) : name;
}

/** @type {(key: string, drawing: (typeof SHEETS)[number], size: (typeof SIZES)[number]) => HTMLAnchorElement} */
function sheetLink(key, drawing, size) {
  const href = `/api/v1/boards/sheets?key=${encodeURIComponent(key)}&drawing=${drawing}&size=${size}`;
  return h(
    "a",
    { href, target: "_blank", rel: "noopener" },
    t(`boards.print-${drawing}`, { size: t(`boards.size-${size}`) }),
  );
}
