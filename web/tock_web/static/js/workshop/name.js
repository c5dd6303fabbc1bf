// The last step of "your board": its name, and what becomes of the running game and of those who sit at it.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { endsGame } from "../panels/who_moves.js";

/** @import { MakerState } from "./state.js" */
/** @import { Maker } from "./maker.js" */

/** @type {(maker: Maker, state: MakerState) => HTMLFormElement} */
export function naming(maker, state) {
  const { isBusy } = state;
  const back = () => maker.store.dispatch({ type: "went", step: "check" });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (maker.name.value.trim()) maker.play();
  };
  const keep = () => {
    if (maker.name.value.trim()) maker.keep();
    else maker.name.focus();
  };
  const play = { type: "submit", testid: "maker-save", disabled: isBusy, class: "main" };
  return h(
    "form.replay-side",
    { onsubmit },
    h("label", { for: "maker-name" }, t("maker.name")),
    maker.name,
    h("p.hint-line", t(endsGame(maker.view) ? "maker.name-asks" : "maker.name-what")),
    h("button", play, t("maker.save")),
    button("wide", "maker-keep", t("maker.keep"), keep, { disabled: isBusy }),
    button("quiet", "maker-back", t("maker.back"), back),
  );
}
