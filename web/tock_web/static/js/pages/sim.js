// The simulated table: drag pawns, lay cards, put a hand over the board.

import { drawer, h } from "../core/dom.js";
import { part, start } from "../core/start.js";
import { language, onLanguage, t } from "../core/words.js";
import { Board } from "../board/board.js";
import { drawMoves, drawRepair } from "../board/overlays.js";
import { pawnIcon } from "../board/shapes.js";
import { cameraPicture } from "../panels/camera.js";
import { PACK, cardFace, cardName } from "../panels/card.js";
import { cardPicker } from "../panels/cards.js";
import { seatName } from "../panels/seats.js";
import { sourcesPanel } from "../panels/sources.js";
import { turnPanel } from "../panels/turn.js";
import { warningPanel } from "../panels/warning.js";
import { Scene } from "../sim/scene.js";
import { SimTable } from "../sim/table.js";

const { boardFile, looks, follow } = start();
let view = null;
/** The seat that lays the next card; null while it is simply whose turn it is. */
let seat = null;

const board = new Board(part("board"), boardFile, looks);
const scene = new Scene(showScene);
const table = new SimTable(board, scene);
const turn = turnPanel(part("turn"), looks);
const warning = warningPanel(part("warning"), looks);
const sources = sourcesPanel(part("sources"));
const picker = cardPicker(part("cards"), (card) => scene.layCard(card, seat ?? view.to_move));
const drawSeats = drawer(part("card-seat"), (seats, chosen) =>
  seats.map((entry) => seatButton(entry, chosen)),
);
const drawLaid = drawer(part("laid"), (laid) => laid && laidCard(laid));
const hand = part("hand");

function seatButton(entry, chosen) {
  return h(
    "button",
    {
      type: "button",
      class: "tile small",
      testid: `card-seat-${entry.seat}`,
      "aria-pressed": String(entry.seat === chosen),
      onclick: () => {
        seat = entry.seat;
        drawCards();
      },
    },
    pawnIcon(looks.get(entry.seat)),
    h("span", {}, seatName(entry, looks)),
  );
}

function laidCard({ card, seat: owner }) {
  const look = looks.get(owner);
  return [
    h(
      "p",
      { class: "laid" },
      h(
        "span",
        { class: "laid-card" },
        cardFace(card),
        h("span", {}, cardName(card)),
        look && pawnIcon(look),
      ),
      h("button", { type: "button", class: "quiet", onclick: () => scene.takeCard() }, t("sim-take-card")),
    ),
  ];
}

function drawCards() {
  if (!view) return;
  const chosen = seat ?? view.to_move;
  drawSeats([language(), view.seats, chosen], view.seats, chosen);
  picker(PACK, "sim-cards");
}

function showScene(state) {
  table.show(state);
  drawLaid([language(), state.card], state.card);
  hand.setAttribute("aria-pressed", String(Boolean(state.hand)));
}

hand.addEventListener("click", () => {
  const [width, height] = boardFile.size;
  scene.holdHand(scene.state?.hand ? null : { x: width / 2, y: height / 2 });
});
onLanguage(() => scene.state && showScene(scene.state));
cameraPicture(part("camera"), () => "sim/frame");

follow("table", (next) => {
  if (view && next.to_move !== view.to_move) seat = null;
  view = next;
  turn(next);
  warning(next);
  sources(next);
  drawMoves(board, next.planned && !next.warning ? [next.planned] : [], null);
  drawRepair(board, next.warning);
  drawCards();
  scene.look();
});
