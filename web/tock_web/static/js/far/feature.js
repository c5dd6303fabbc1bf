// Players in two homes, on every page: fetched with the first view that has a guest.

import { loadAllWords } from "../core/words.js";
import { fetched } from "../panels/lazy_panel.js";

/** @import { Feature, View } from "#types" */

/** @type {Feature} */
export const FAR = {
  draws: (styles) =>
    fetched(
      () => Promise.all([import("./signs.js"), loadAllWords()]),
      ([{ signsPanel }]) => signsPanel(styles),
      (/** @type {View} */ { far }) => far,
    ),
  isReserved: ({ far }, seat) => Boolean(far?.seats[seat]),
};
