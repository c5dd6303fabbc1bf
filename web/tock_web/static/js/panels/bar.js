// The bar of every page: connection in words, text size, day and night, language.

import { recall, remember } from "../core/prefs.js";
import { onLanguage, switchLanguage, t } from "../core/words.js";

const SIZES = ["1", "1.2", "1.45"];
const THEMES = ["auto", "day", "night"];
const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Bring the bar to life; return a function that shows the state of the connection. */
export function bar() {
  cycle("size", SIZES, document.getElementById("text-size"), setSize);
  cycle("theme", THEMES, document.getElementById("theme"), setTheme);
  document.querySelector("[data-testid=language]").addEventListener("click", switchLanguage);
  const light = document.querySelector("[data-testid=connection]");
  let state = "connecting";
  const show = () => {
    light.dataset.state = state;
    light.querySelector("span").textContent = t(`connection.${state}`);
  };
  onLanguage(show);
  show();
  return (next) => {
    if (next === state && document.body.dataset.connection) return;
    state = next;
    document.body.dataset.connection = next;
    show();
  };
}

/** Let a button walk through the values of a choice that this phone remembers; `apply` puts one into effect. */
function cycle(name, values, button, apply) {
  let current = recall(name, values[0]);
  apply(current);
  button?.addEventListener("click", () => {
    current = values[(values.indexOf(current) + 1) % values.length];
    remember(name, current);
    apply(current);
  });
}

function setSize(size) {
  document.documentElement.dataset.size = size;
}

/** The style knows day and night; "auto" is what the phone prefers, now and when it changes its mind at dusk. */
function setTheme(theme) {
  const follow = () => {
    document.documentElement.dataset.theme = DARK.matches ? "night" : "day";
  };
  DARK.onchange = theme === "auto" ? follow : null;
  if (theme === "auto") follow();
  else document.documentElement.dataset.theme = theme;
}
