// Who this phone's player is, and with whom: a coin in the bar, and a calm line when it changes.

import { pawnIcon } from "../board/shapes.js";
import { get } from "../core/api.js";
import { bootstrap, recall, remember } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, t } from "../core/words.js";
import { isNews, movedOthers, othersOf, partnersOf } from "../state/me.js";
import { toast } from "./frame.js";
import { colorName, seatName } from "./seats.js";
import { movedLine } from "./who_moves.js";

/** @import { SeatInfo, SeatStyles, View } from "#types" */

/** Kept through the page's loading again, as it does for another board and for another seat. */
const KEPT_AS = "me";

/** @param {SeatStyles} styles @param {(sentence: string) => void} [speak] reads aloud */
export function mePanel(styles, speak = () => {}) {
  const root = h("p.me", { testid: "me" });
  let mine = bootstrap.session.seat;
  let people = "";

  const draw = drawer(root, (/** @type {SeatInfo} */ { seat }, /** @type {string} */ names) => [
    pawnIcon(styles.get(seat)),
    h("span.out-of-sight", sentence(seat, names)),
    h(
      "span",
      { "aria-hidden": "true" },
      h("span.me-wide", names ? t("lobby-partner", { name: names }) : colorName(seat, styles)),
      names && h("span.me-small", `+ ${names}`),
    ),
  ]);

  /** @param {string} seat @param {string} names of the partners */
  function sentence(seat, names) {
    const color = colorName(seat, styles);
    return names ? t("me-with", { color, names }) : t("me", { color });
  }

  /** @param {View} view */
  async function seatNow(view) {
    if (view.role === "seat") return view.seat;
    const sitting = JSON.stringify(view.seats.map(({ name }) => name));
    // The page of a seat loads again when its player moves to another one; this page does not.
    if (people && people !== sitting) {
      const session = await get("session");
      if (session.ok) mine = session.data.seat;
    }
    people = sitting;
    return mine;
  }

  return async (/** @type {View} */ view) => {
    const seat = await seatNow(view);
    const entry = view.seats.find((one) => one.seat === seat);
    if (entry) document.querySelector(".brand")?.after(root);
    else root.remove();
    if (!entry) return;
    const partners = partnersOf(view, entry.seat);
    const names = partners.map((one) => seatName(one, styles)).join(", ");
    draw([language(), entry.seat, names], entry, names);
    const now = {
      color: entry.color,
      partners: partners.map(({ name }) => name),
      others: othersOf(view, entry),
    };
    const kept = recall(KEPT_AS, "");
    const text = JSON.stringify(now);
    // Storing waits for the phone's memory, and most views change nothing here.
    if (text === kept) return;
    remember(KEPT_AS, text);
    // Should another phone take the seat over, this one asks for it by name.
    remember("name", entry.name);
    const before = kept ? JSON.parse(kept) : null;
    const me = sentence(entry.seat, names);
    const line = isNews(before, now, !view.lobby)
      ? t("me-now", { me: me[0].toLowerCase() + me.slice(1) })
      : movedOthers(before, now).map(movedLine).join(" · ");
    if (!line) return;
    toast(line, "good");
    speak(line);
  };
}
