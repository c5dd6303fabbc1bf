// What every page does first: words, board file, bar, and then the stream of views.

import { bar } from "../panels/bar.js";
import { seatLooks } from "../board/palette.js";
import { get } from "./api.js";
import { Live } from "./live.js";
import { onLanguage, ready } from "./words.js";

const RETRY_MS = 1_000;

/** Fetch something that the page cannot do without, as long as it takes. */
async function insist(path) {
  for (;;) {
    const answer = await get(path);
    if (answer.ok) return answer.data;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Return the board file, the looks of the seats, who this phone is, and `follow` to draw views as they come. */
export async function start() {
  const [boardFile, session] = await Promise.all([insist("board"), insist("session"), ready()]);
  const showState = bar();
  const looks = seatLooks(boardFile);
  return { boardFile, looks, session, showState, follow: (role, draw, onState) => follow(role, draw, showState, onState) };
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
  onLanguage(redraw);
  return { redraw, close: () => live.end() };
}

/** Shorthand for the parts of the document. */
export function part(id) {
  return document.getElementById(id);
}
