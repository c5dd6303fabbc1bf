// What every page does first: the bar, the view that came with the document, and then the stream of views.

import { bar } from "../panels/bar.js";
import { seatLooks } from "../board/palette.js";
import { given } from "./given.js";
import { Live } from "./live.js";
import { onLanguage } from "./words.js";

/** Return the board file, the looks of the seats, who this phone is, and `follow` to draw views as they come. */
export function start() {
  const showState = bar();
  const { board: boardFile, session } = given;
  const looks = seatLooks(boardFile);
  return {
    boardFile,
    looks,
    session,
    showState,
    follow: (role, draw, onState) => follow(role, draw, showState, onState),
  };
}

/** Draw every view of a role, and the last one again when the language changes; the answer redraws or closes. */
function follow(role, draw, showState, onState = () => {}) {
  let newest = null;
  const redraw = () => newest && draw(newest);
  const live = new Live(
    role,
    (view) => {
      newest = view;
      redraw();
    },
    (state) => {
      showState(state);
      onState(state);
    },
  );
  try {
    if (given.view) live.take(given.view, given.boot);
  } finally {
    // What draws later was put in line before this: everything is shown at once, and nothing jumps under a finger.
    setTimeout(() => document.querySelector("main").classList.remove("undrawn"));
  }
  onLanguage(redraw);
  return { redraw, close: () => live.end() };
}

/** Shorthand for the parts of the document. */
export function part(id) {
  return document.getElementById(id);
}
