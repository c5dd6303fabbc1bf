// What each phone may choose for itself.

import { h } from "../core/dom.js";
import { recall, remember } from "../core/prefs.js";
import { canBuzz } from "../core/signals.js";
import { onLanguage, t } from "../core/words.js";

/** Draw the switches of a player's phone. */
export function settingsPanel(root) {
  const draw = () =>
    root.replaceChildren(
      h("h2", {}, t("settings")),
      h("div", { class: "settings" }, toggle("sound"), canBuzz && toggle("buzz")),
    );
  onLanguage(draw);
  draw();
}

function toggle(name) {
  const box = h("input", {
    type: "checkbox",
    checked: recall(name, "on") === "on",
    onchange: () => remember(name, box.checked ? "on" : "off"),
  });
  return h("label", {}, box, t(`settings.${name}`));
}
