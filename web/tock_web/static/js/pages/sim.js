// The simulated table: drag pawns, lay cards, put a hand over the board.

import { Board } from "../board/board.js";
import { drawRepair } from "../board/mending.js";
import { drawMoves } from "../board/overlays.js";
import { pawnIcon } from "../board/shapes.js";
import { request } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { button, h, tile } from "../core/dom.js";
import { start } from "../core/start.js";
import { Store, drawer } from "../core/store.js";
import { language, onLanguage, t } from "../core/words.js";
import { PACK, cardPicker } from "../panels/card_grid.js";
import { cardFace, cardName } from "../panels/cards.js";
import { endingPanel } from "../panels/rare.js";
import { practicePanel } from "../panels/practice.js";
import { granted } from "../panels/frame.js";
import { mePanel } from "../panels/me.js";
import { replayPanel } from "../panels/replay.js";
import { seatName } from "../panels/seats.js";
import { soundContext } from "../panels/settings.js";
import { cameraPicture, sourcesPanel } from "../panels/sources.js";
import { turnPanel, warningPanel } from "../panels/turn.js";
import { Scene } from "../sim/scene.js";
import { SimTable } from "../sim/table.js";
import { Tray } from "../sim/tray.js";
import { NO_SIM, reduceSim } from "../state/pages.js";

/** @import { SceneInfo, SeatInfo } from "#types" */
/** @import { SimAction, SimState } from "../state/pages.js" */

const { boardFile, styles, session, follow } = start();
/** @type {Store<SimState, SimAction>} */
const store = new Store(reduceSim, NO_SIM, drawCards);
const board = new Board(part("board"), boardFile, styles);
const scene = new Scene(showScene);
const table = new SimTable(board, scene, new Tray(part("tray"), styles));
const turn = turnPanel(part("turn"), styles);
const ending = endingPanel(part("ending"), styles, null);
const warning = warningPanel(part("warning"), styles);
const sources = sourcesPanel(part("sources"));
const practice = practicePanel(part("practice"), session.seat, async (...asked) =>
  granted(await request(asked)),
);
const me = session.seat ? mePanel(styles) : null;
const picker = cardPicker(part("cards"), (card) => {
  const seat = layingSeat(store.state);
  if (seat) scene.layCard(card, seat);
});
const drawSeats = drawer(part("card-seat"), (/** @type {SeatInfo[]} */ seats, /** @type {string} */ chosen) =>
  seats.map((entry) => seatButton(entry, entry.seat === chosen)),
);
const drawLaid = drawer(part("laid"), (/** @type {SceneInfo["card"]} */ laid) => laid && laidCard(laid));
const hand = part("hand");

/** @param {SimState} state */
function layingSeat({ view, seat }) {
  return seat ?? view?.to_move;
}

/** @type {(entry: SeatInfo, isChosen: boolean) => HTMLButtonElement} */
function seatButton(entry, isChosen) {
  const { seat } = entry;
  const words = [pawnIcon(styles.get(seat)), h("span", seatName(entry, styles))];
  return tile("tile small", `card-seat-${seat}`, words, isChosen, () =>
    store.dispatch({ type: "seatChosen", seat }),
  );
}

/** @param {NonNullable<SceneInfo["card"]>} laid */
function laidCard({ card, seat }) {
  const style = styles.get(seat ?? "");
  return h(
    "p.laid",
    h("span.laid-card", cardFace(card), h("span", cardName(card)), style && pawnIcon(style)),
    button("quiet", "sim-take-card", t("sim-take-card"), () => scene.takeCard()),
  );
}

/** @param {SimState} state */
function drawCards(state) {
  const { view } = state;
  if (!view) return;
  const chosen = layingSeat(state) ?? view.to_move;
  drawSeats([language(), view.seats, chosen], view.seats, chosen);
  picker(PACK, [], t("sim-cards"));
}

/** @param {SceneInfo} state */
function showScene(state) {
  table.show(state);
  drawLaid([language(), state.card], state.card);
  hand.setAttribute("aria-pressed", String(Boolean(state.hand)));
}

hand.addEventListener("click", () => {
  const [width, height] = boardFile.size;
  scene.holdHand(scene.state?.hand ? null : { x: width / 2, y: height / 2 });
});
part("put-back").addEventListener("click", () => table.putBack());
onLanguage(() => {
  if (scene.state) showScene(scene.state);
});
// Some browsers let a page be heard only if its sound began under a finger.
document.addEventListener("pointerdown", () => soundContext(), { once: true });
replayPanel(part("replay"), boardFile, styles);
cameraPicture(partOf(HTMLImageElement, "camera"), () => "sim/frame");

follow("table", (view) => {
  store.dispatch({ type: "seen", view });
  turn(view);
  practice(view);
  ending(view);
  warning(view);
  sources(view);
  me?.(view);
  drawMoves(board, view.planned && !view.warning ? [view.planned] : [], null);
  drawRepair(board, view.warning, view.guidance);
  scene.fetch();
});
