// All tables of a club: each board small, whose turn it is, faults, and winners.

import { Board } from "../board/board.js";
import { viewPainter } from "../board/overlays.js";
import { pawnIcon, seatStyles } from "../board/shapes.js";
import { get } from "../core/api.js";
import { part } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { onLanguage, say, t } from "../core/words.js";
import { seatName } from "../panels/seats.js";
import { keepUp } from "./stream.js";

/** @import { ClubNews, ClubRow, ClubView, ConnectionState, Gets, SeatStyles } from "#types" */

/** @param {(state: ConnectionState) => void} showState */
export async function showTables(showState) {
  const boards = await get("club/boards");
  /** @type {Map<string, TableCard>} */
  const cards = new Map();
  /** @type {ClubNews | null} */
  let newest = null;
  const show = () => {
    if (newest && boards.ok) draw(newest, boards.data, cards);
  };
  keepUp("/api/v1/club/events", showState, {
    club: (data) => {
      newest = /** @type {ClubNews} */ (data);
      showState(newest.broker ? "live" : "lost");
      show();
    },
  });
  onLanguage(show);
}

/** The card of one table. */
class TableCard {
  /** @param {string} name @param {Gets["club/boards"]} boardFiles by number of zones */
  constructor(name, boardFiles) {
    this.boardFiles = boardFiles;
    this.frame = h("div.club-board");
    this.text = h("div.club-text");
    const attributes = { class: "panel club-table", testid: `club-table-${name}` };
    this.root = h("article", attributes, h("h2", name), this.frame, this.text);
    /** @type {string | null} */
    this.drawn = null;
    /** @type {ReturnType<typeof viewPainter> | null} */
    this.paint = null;
    /** @type {SeatStyles} */
    this.styles = new Map();
  }

  /** @param {ClubRow} table */
  update({ view, online }) {
    this.root.classList.toggle("offline", !online);
    if (view) this.drawBoard(view);
    this.text.replaceChildren(...(online ? [] : [trouble(t("club.offline"))]), ...this.lines(view));
    return this.root;
  }

  /** @param {ClubView} view */
  drawBoard(view) {
    const colors = Object.fromEntries(view.seats.map((entry) => [entry.seat, entry.color]));
    const key = JSON.stringify([view.board.zones, colors]);
    if (key !== this.drawn) {
      this.drawn = key;
      const plain = this.boardFiles[view.board.zones];
      const boardFile = { ...plain, colors: { ...plain.colors, ...colors } };
      this.styles = seatStyles(boardFile);
      this.paint = viewPainter(new Board(this.frame, boardFile, this.styles));
    }
    this.paint?.({ ...view, seen: {} });
  }

  /** @param {ClubView | null} view */
  lines(view) {
    if (!view) return [];
    const people = view.seats.map((entry) => {
      const isNext = entry.seat === view.to_move && !view.game.ended;
      const name = h("span", seatName(entry, this.styles));
      return h("li", { class: isNext ? "to-move" : null }, pawnIcon(this.styles.get(entry.seat)), name);
    });
    return [
      ...(view.warning ? [trouble(say(view.warning.message), "warning")] : []),
      h("p", { testid: "turn" }, say(view.sentence)),
      h("ul.people", people),
    ];
  }
}

/** @type {(words: string, testid?: string) => HTMLParagraphElement} */
function trouble(words, testid) {
  return h("p.trouble", { testid }, words);
}

/** @type {(news: ClubNews, boardFiles: Gets["club/boards"], cards: Map<string, TableCard>) => void} */
function draw(news, boardFiles, cards) {
  const note = part("club-note");
  const text = !news.broker ? t("club.no-broker") : news.tables.length === 0 ? t("club.none") : "";
  note.textContent = text;
  note.hidden = text === "";
  const shown = news.tables.map((table) => {
    const card = cards.get(table.name) ?? new TableCard(table.name, boardFiles);
    cards.set(table.name, card);
    return card.update(table);
  });
  const root = part("club");
  if (shown.length !== root.children.length || shown.some((card, place) => root.children[place] !== card)) {
    root.replaceChildren(...shown);
  }
}
