// Between two homes: how things stand with those who are far away, and short signs; fetched where somebody is.

import { pawnIcon } from "../board/shapes.js";
import { post } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { line } from "../core/line.js";
import { drawer, valueStore } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { granted } from "../panels/frame.js";
import { SIGNS, signDrawing } from "./sign_drawings.js";
import { seatName } from "../panels/seats.js";

/** @import { Children, SeatStyles, SignInfo, View } from "#types" */
/** @typedef {SignInfo["sign"]} Sign */
/** @typedef {{ view: View | null, isOpen: boolean }} SignsState */

const BUZZ_MS = [60, 80, 60];
/** Of the home whose game this board follows. */
const CUT = ["away", "ended"];

/** @param {SeatStyles} styles */
export function signsPanel(styles) {
  const [cut, lines, giving, shown] = [
    h("div.far-lines", { role: "status" }),
    h("div.far-lines", { role: "status" }),
    h("div.far-signs"),
    h("div.far-sign", { testid: "far-sign", role: "status" }),
  ];
  const style = new URL("../../css/signs.css", import.meta.url).href;
  document.head.append(h("link", { rel: "stylesheet", href: style }));
  document.querySelector("main")?.append(lines, giving);
  // Whoever plays on a board that follows another home sees at once why nobody answers.
  document.querySelector(".alerts")?.append(cut);
  document.body.append(shown);
  const drawLines = drawer(lines, standings);
  const drawCut = drawer(cut, homeLine);
  const drawGiving = drawer(giving, (/** @type {boolean} */ isOpen, /** @type {boolean} */ mayKnock) =>
    buttons(isOpen, mayKnock, give, (open) => {
      store.dispatch({ isOpen: open });
      giving.scrollIntoView({ block: "nearest" });
    }),
  );
  const drawShown = drawer(shown, (/** @type {SignInfo | null} */ sign, /** @type {View} */ view) =>
    bubble(sign, view, styles),
  );
  const store = valueStore(/** @type {SignsState} */ ({ view: null, isOpen: false }), ({ view, isOpen }) => {
    if (!view) return;
    const { far, role, seats } = view;
    const { seats: away, home = null, sign = null } = far ?? {};
    const isCut = CUT.includes(home?.state ?? "");
    drawLines([language(), away, home, far?.watching], view, styles, isCut);
    drawCut([language(), home], isCut ? view : null);
    giving.hidden = !mayGive(view);
    const mayKnock = role === "seat" && !view.your_turn && !view.lobby && !view.game.winner;
    drawGiving([language(), isOpen, mayKnock], isOpen, mayKnock);
    drawShown([language(), sign, sign && seats], sign, view);
  });

  /** @param {Sign} sign */
  async function give(sign) {
    store.dispatch({ isOpen: false });
    granted(await post("far/sign", { sign }));
  }

  let newest = 0;
  return (/** @type {View} */ view) => {
    store.dispatch({ view });
    const sign = view.far?.sign;
    if (!sign || sign.number === newest) return;
    newest = sign.number;
    // A knock is for whoever keeps the others waiting.
    if (sign.sign === "knock" && view.role === "seat" && view.your_turn) navigator.vibrate?.(BUZZ_MS);
  };
}

/** Whether signs reach anybody: whoever looks on at home is there, and needs none. @param {View} view */
function mayGive({ role, far }) {
  if (!far || line.isRemote) return Boolean(far);
  const { home, watching, seats } = far;
  return role === "seat" && Boolean(home ?? (watching?.names.length || Object.keys(seats).length));
}

/**
 * One line for each who is far away; her own home says nothing of herself.
 *
 * @param {View} view
 * @param {SeatStyles} styles
 * @param {boolean} isCut the home that is followed has a line of its own then
 * @returns {Children}
 */
function standings(view, styles, isCut) {
  const own = line.isRemote && view.role === "seat" ? view.seat : null;
  const guests = Object.entries(view.far?.seats ?? {})
    .filter(([seat]) => seat !== own)
    .map(([seat, { state, sentence }]) =>
      h(
        "p",
        { testid: `far-line-${seat}`, "data-state": state },
        pawnIcon(styles.get(seat)),
        h("span", say(sentence)),
      ),
    );
  const watching = view.far?.watching;
  const onlookers = watching && h("p", { testid: "far-watching" }, h("span", say(watching.sentence)));
  return [!isCut && homeLine(view), guests, onlookers];
}

/** The line of the home whose game this board follows. @type {(view: View | null) => Children} */
function homeLine(view) {
  const home = view?.far?.home;
  return home && h("p", { testid: "far-home", "data-state": home.state }, h("span", say(home.sentence)));
}

/**
 * @param {boolean} isOpen
 * @param {boolean} mayKnock
 * @param {(sign: Sign) => void} give
 * @param {(isOpen: boolean) => void} fold
 * @returns {Children}
 */
function buttons(isOpen, mayKnock, give, fold) {
  const one = (/** @type {Sign} */ sign) => {
    const label = t(`far.sign-${sign}`);
    const attributes = { type: "button", testid: `sign-${sign}`, title: label, onclick: () => give(sign) };
    return h("button", attributes, signDrawing(sign), h("span.out-of-sight", label));
  };

  return [
    h("div.far-sign-tools", [
      button("quiet", "signs-open", [signDrawing("laugh"), h("span", t("far.signs"))], () => fold(!isOpen), {
        "aria-expanded": String(isOpen),
      }),
      mayKnock &&
        button("quiet", "sign-knock", [signDrawing("knock"), h("span", t("far.sign-knock"))], () =>
          give("knock"),
        ),
    ]),
    isOpen && h("div.far-sign-row", { role: "group", "aria-label": t("far.signs") }, SIGNS.map(one)),
  ];
}

/**
 * The newest sign, for as long as the table shows it.
 * @type {(sign: SignInfo | null, view: View, styles: SeatStyles) => Children}
 */
function bubble(sign, view, styles) {
  const from = view.seats.find(({ seat }) => seat === sign?.seat);
  const name = from ? seatName(from, styles) : sign?.name;
  if (!sign || !name) return [];
  const words =
    sign.sign === "knock" ? t("far.knocks", { name }) : `${name}${t("colon")}${t(`far.sign-${sign.sign}`)}`;
  return h("p", { "data-sign": sign.sign }, signDrawing(sign.sign), h("span", words));
}
