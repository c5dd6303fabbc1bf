// All tables of a club: each board small, whose turn it is, what is wrong, who has won.

import { Board } from "../board/board.js";
import { seatLooks } from "../board/palette.js";
import { viewPainter } from "../board/show.js";
import { pawnIcon } from "../board/shapes.js";
import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { part } from "../core/start.js";
import { onLanguage, say, t } from "../core/words.js";
import { bar } from "../panels/bar.js";
import { seatName } from "../panels/seats.js";

const boards = await get("club/boards");
const showState = bar();
const cards = new Map();
let newest = null;

/** Return the card of a table with a function that brings it up to date. */
function tableCard(name) {
  const board = h("div", { class: "club-board" });
  const text = h("div", { class: "club-text" });
  const root = h(
    "article",
    { class: "panel club-table", testid: `club-table-${name}` },
    h("h2", {}, name),
    board,
    text,
  );
  let drawn = null;
  let paint = null;
  let looks = null;
  return (table) => {
    const { view, online } = table;
    root.classList.toggle("offline", !online);
    if (view) {
      const colors = Object.fromEntries(view.seats.map((entry) => [entry.seat, entry.color]));
      const key = JSON.stringify([view.board.zones, colors]);
      if (key !== drawn) {
        drawn = key;
        const boardFile = {
          ...boards.data[view.board.zones],
          colors: { ...boards.data[view.board.zones].colors, ...colors },
        };
        looks = seatLooks(boardFile);
        paint = viewPainter(new Board(board, boardFile, looks));
      }
      paint({ ...view, seen: {} });
    }
    text.replaceChildren(...lines(view, online, looks));
    return root;
  };
}

function lines(view, online, looks) {
  const out = [];
  if (!online) out.push(h("p", { class: "trouble" }, t("club.offline")));
  if (!view) return out;
  if (view.warning) out.push(h("p", { class: "trouble", testid: "warning" }, say(view.warning.message)));
  out.push(h("p", { testid: "turn" }, say(view.sentence)));
  const people = view.seats.map((entry) =>
    h(
      "li",
      { class: entry.seat === view.to_move && !view.game.ended ? "to-move" : null },
      pawnIcon(looks.get(entry.seat)),
      h("span", {}, seatName(entry, looks)),
    ),
  );
  out.push(h("ul", { class: "people" }, people));
  return out;
}

function draw() {
  if (!newest) return;
  const note = part("club-note");
  const text = !newest.broker ? t("club.no-broker") : newest.tables.length === 0 ? t("club.none") : "";
  note.textContent = text;
  note.hidden = text === "";
  const shown = newest.tables.map((table) => {
    if (!cards.has(table.name)) cards.set(table.name, tableCard(table.name));
    return cards.get(table.name)(table);
  });
  const root = part("club");
  if (shown.length !== root.children.length || shown.some((card, place) => root.children[place] !== card)) {
    root.replaceChildren(...shown);
  }
}

// The browser opens the stream again by itself whenever it breaks.
const source = new EventSource("/api/v1/club/events");
source.addEventListener("club", (event) => {
  newest = JSON.parse(event.data);
  showState(newest.broker ? "live" : "lost");
  draw();
});
source.addEventListener("error", () => showState("lost"));
onLanguage(draw);
