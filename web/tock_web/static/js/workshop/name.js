// The last step of "your board": its name, and what becomes of the running game and of those who sit at it.

import { button, h } from "../core/dom.js";
import { t, tNamed } from "../core/words.js";

/** @import { HostView } from "#types" */
/** @import { MakerState } from "./state.js" */
/** @import { Maker } from "./maker.js" */

/** @type {(maker: Maker, state: MakerState) => HTMLFormElement} */
export function naming(maker, state) {
  const { isBusy, sure } = state;
  const back = () => maker.store.dispatch({ type: "went", step: "check" });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (maker.name.value.trim()) maker.play();
  };
  const keep = () => {
    if (maker.name.value.trim()) maker.keep();
    else maker.name.focus();
  };
  const play = {
    type: "submit",
    testid: "maker-save",
    disabled: isBusy,
    class: sure ? "wide danger" : "main",
  };
  return h(
    "form",
    { onsubmit, class: "replay-side" },
    h("label", { for: "maker-name" }, t("maker.name")),
    maker.name,
    !sure && h("p", { class: "hint-line" }, t(endsGame(maker.view) ? "maker.name-asks" : "maker.name-what")),
    sure && warning(maker.view, state),
    h("button", play, t(sure ? "boards.choose-sure" : "maker.save")),
    button("wide", "maker-keep", t("maker.keep"), keep, { disabled: isBusy }),
    button("quiet", "maker-back", t("maker.back"), back),
  );
}

/** @param {HostView | null} view */
export function endsGame(view) {
  return Boolean(view && !view.lobby && !view.game.ended);
}

/** @type {(view: HostView | null, state: MakerState) => HTMLDivElement} */
function warning(view, { made }) {
  const colors = made?.board?.colors ?? {};
  const people = (view?.seats ?? []).filter(({ taken, seat, color }) => taken && colors[seat] !== color);
  const rows = people.map(({ name, seat, color }) => {
    const next = colors[seat];
    const values = { name, before: tNamed("color.", color), now: next ? tNamed("color.", next) : "" };
    return h("li", {}, t(next ? "maker.new-color" : "maker.no-seat", values));
  });
  return h(
    "div",
    { role: "alert", testid: "maker-ends-game" },
    h("p", { class: "bad" }, t("maker.ends-game")),
    rows.length > 0 && h("ul", {}, rows),
  );
}
