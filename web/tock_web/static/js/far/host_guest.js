// Parts of the host's panel for somebody far away: how things stand, free seats, and where their cards come from.

import { button, choice, h } from "../core/dom.js";
import { say, t } from "../core/words.js";
import { pawnIcon } from "../board/shapes.js";
import { colorName } from "../panels/seats.js";
import { upload } from "../core/api.js";
import { granted, toast } from "../panels/frame.js";
import { smaller } from "../panels/photo.js";

/** @import { FarRow, HostView, SeatInfo, SeatName, SeatStyles } from "#types" */

/** @param {FarRow} row @param {(cards: FarRow["cards"]) => void} choose */
export function cardsParts({ cards }, choose) {
  const select = choice(
    { testid: "far-cards", "aria-label": t("far-host.cards") },
    /** @type {const} */ (["drawn", "real"]),
    cards,
    (one) => t(one === "real" ? "far-host.real" : "far-host.are-drawn"),
    choose,
  );
  const isReal = cards === "real";
  return [
    h("label", t("far-host.cards"), " ", select),
    h("p.hint-line", t(isReal ? "far-host.real-what" : "far-host.drawn")),
  ];
}

/** @type {(row: FarRow, name: string, view: HostView | null) => string} */
export function sentence(row, name, view) {
  const shown = row.seat && view?.far?.seats[row.seat];
  const word = t(`far-host.state.${row.state}`);
  const text = shown ? say(shown.sentence) : (name || t("far-host.somebody-watches")) + t("colon") + word;
  if (row.trouble) return `${text} ${say(row.trouble)}`;
  const ms = row.state === "here" && row.round_trip_ms;
  return ms ? `${text} ${t("far-host.round-trip", { ms })}` : text;
}

/**
 * @param {SeatInfo[]} free
 * @param {SeatStyles} styles
 * @param {boolean} isAsking
 * @param {(seat: SeatName, name: string) => void} invite
 */
export function freeSeats(free, styles, isAsking, invite) {
  /** @type {HTMLInputElement} */
  const name = h("input.far-address", { testid: "far-for", maxlength: "24", autocomplete: "off" });
  const ask = (/** @type {SeatName} */ seat) => {
    // A field that has the keyboard is not drawn again.
    name.blur();
    invite(seat, name.value.trim());
  };
  const one = (/** @type {SeatName} */ seat) => {
    return button("quiet", "far-invite", t("far-host.invite"), () => ask(seat), { disabled: isAsking });
  };
  return [
    h("label", t("far-host.for"), name),
    h(
      "ul.seats",
      free.map(({ seat }) =>
        h(
          "li",
          { "data-seat": seat },
          pawnIcon(styles.get(seat)),
          h("span", colorName(seat, styles)),
          one(seat),
        ),
      ),
    ),
  ];
}

/** @param {SeatName} seat */
export function photoButton(seat) {
  const input = h("input.out-of-sight", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    testid: "far-photo-file",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    toast(t("far-host.reading"), "good");
    const answer = await upload("far/hand", await smaller(file), { seat });
    if (!granted(answer)) return;
    const { read, unread } = answer.data;
    toast(t(unread ? "far-host.read-some" : "far-host.read", { read, unread }), "good");
  });

  return [input, button("wide", "far-photo", t("far-host.photo"), () => input.click())];
}
