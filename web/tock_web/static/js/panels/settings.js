// What each phone may choose for itself.

import { h } from "../core/dom.js";
import { recall, remember } from "../core/prefs.js";
import { canBuzz, canSpeak } from "../core/signals.js";
import { onLanguage, t } from "../core/words.js";

/** Draw the switches of a player's phone. */
export function settingsPanel(root) {
  turnOver();
  const draw = () =>
    root.replaceChildren(
      h("h2", {}, t("settings")),
      h(
        "div",
        { class: "settings" },
        toggle("sound", "on"),
        canBuzz && toggle("buzz", "on"),
        canSpeak && toggle("speech", "off"),
        toggle("left", "off", turnOver),
      ),
    );
  onLanguage(draw);
  draw();
}

/** Put what is touched most to the side of the thumb. */
function turnOver() {
  document.documentElement.dataset.thumb = recall("left", "off") === "on" ? "left" : "right";
}

function toggle(name, usual, apply = () => {}) {
  const box = h("input", {
    type: "checkbox",
    checked: recall(name, usual) === "on",
    onchange: () => {
      remember(name, box.checked ? "on" : "off");
      apply();
    },
  });
  return h("label", {}, box, t(`settings.${name}`));
}
