// The start page: sit down at the table, or leave the page open as the table's own screen.

import { post } from "../core/api.js";
import { drawer, h } from "../core/dom.js";
import { recall, remember } from "../core/prefs.js";
import { part, start } from "../core/start.js";
import { language, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";
import { publicBoard } from "../panels/public.js";
import { replayPanel } from "../panels/replay.js";
import { askForSeat } from "../panels/asking.js";
import { granted, toast } from "../panels/toast.js";

const { boardFile, looks, session, follow } = start();
const name = document.querySelector("[data-testid=join-name]");
let seat = null;
let newest = null;
let unfolded = false;

// Fast fingers may have written before the scripts were there.
name.value ||= recall("name", "");
part("url").textContent = session.url;
part("sim-link").hidden = !session.simulated;

const drawTiles = drawer(part("tiles"), (seats) => seats.map(tile));

function tile(entry) {
  const look = looks.get(entry.seat);
  const color = t(`color.${look.color}`);
  return h(
    "button",
    {
      type: "button",
      class: "tile",
      testid: `join-seat-${entry.seat}`,
      "aria-pressed": String(entry.seat === seat),
      onclick: () => pick(entry.seat),
    },
    pawnIcon(look),
    h(
      "span",
      {},
      color,
      h("small", {}, entry.taken ? entry.name : t("seat", { n: Number(entry.seat.slice(1)) + 1 })),
    ),
  );
}

function pick(choice) {
  seat = choice;
  redrawTiles();
}

function redrawTiles() {
  if (!newest) return;
  drawTiles([language(), newest.seats, seat], newest.seats);
  const taken = newest.seats.find((entry) => entry.seat === seat)?.taken;
  document.querySelector("[data-testid=join-enter]").textContent = t(taken ? "join-ask" : "join-enter");
  part("join-taken").hidden = !taken;
  // Where all sit the screen belongs to the game; who wants a seat back opens the form.
  part("join").classList.toggle("folded", newest.seats.every((entry) => entry.taken) && !seat && !unfolded);
}

part("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosenName = name.value.trim();
  if (!chosenName) {
    toast(t("join-needs-name"));
    name.focus();
    return;
  }
  if (!seat) {
    toast(t("join-needs-seat"));
    return;
  }
  remember("name", chosenName);
  const wanted = { name: chosenName, seat, lang: language() };
  if (newest?.seats.find((entry) => entry.seat === seat)?.taken) askForSeat(part("join-waiting"), wanted);
  else if (granted(await post("join", wanted))) location.assign("/seat");
});

part("unfold").addEventListener("click", () => {
  unfolded = true;
  redrawTiles();
});

const drawBoard = publicBoard(boardFile, looks, part("board"));
follow("table", (view) => {
  newest = view;
  drawBoard(view);
  redrawTiles();
});
replayPanel(part("replay"), boardFile, looks);
