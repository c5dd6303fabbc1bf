// The bar of every page: connection in words, text size, day and night, language.

import { recall, remember } from "../core/prefs.js";
import { onLanguage, switchLanguage, t } from "../core/words.js";

const SIZES = ["1", "1.2", "1.45"];
const THEMES = ["auto", "day", "night"];

/** Bring the bar to life; return a function that shows the state of the connection. */
export function bar() {
  cycle("size", SIZES, document.getElementById("text-size"));
  cycle("theme", THEMES, document.getElementById("theme"));
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

/** Let a button walk through the values of a choice that this phone remembers. */
function cycle(name, values, button) {
  const apply = (value) => {
    document.documentElement.dataset[name] = value;
  };
  apply(recall(name, values[0]));
  button?.addEventListener("click", () => {
    const next = values[(values.indexOf(document.documentElement.dataset[name]) + 1) % values.length];
    remember(name, next);
    apply(next);
  });
}
