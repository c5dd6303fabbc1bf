// What each phone may choose for itself.

import { h } from "../core/dom.js";
import { recall, remember } from "../core/prefs.js";
import { canBuzz, canSpeak } from "../core/signals.js";
import { onLanguage, t } from "../core/words.js";

/** Draw the switches of a player's phone. */
export function settingsPanel(root) {
  const draw = () =>
    root.replaceChildren(
      h("h2", {}, t("settings")),
      h("div", { class: "settings" }, toggle("sound", "on"), canBuzz && toggle("buzz", "on"), canSpeak && toggle("speech", "off")),
    );
  onLanguage(draw);
  draw();
}

function toggle(name, usual) {
  const box = h("input", {
    type: "checkbox",
    checked: recall(name, usual) === "on",
    onchange: () => remember(name, box.checked ? "on" : "off"),
  });
  return h("label", {}, box, t(`settings.${name}`));
}
