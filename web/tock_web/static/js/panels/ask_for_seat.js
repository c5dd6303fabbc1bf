// Asking for a taken seat, from the start page.

import { post } from "../core/api.js";
import { recall, remember } from "../core/bootstrap.js";
import { t } from "../core/words.js";
import { isFull, isTaken } from "../state/pages.js";
import { granted } from "./frame.js";

/** @import { Lang, SeatName } from "#types" */
/** @import { JoinState } from "../state/pages.js" */

const AGAIN_MS = 1_500;
const KEPT_AS = "asked";

/**
 * The heading for a person who comes late, and what it means to take the seat that is picked.
 * @type {(title: HTMLElement, hint: HTMLElement, enter: HTMLElement) => (state: JoinState) => void}
 */
export function takenPanel(title, hint, enter) {
  return (state) => {
    title.textContent = titleOf(state);
    hint.hidden = !isTaken(state) && !isComputers(state);
    hint.textContent = t(isTaken(state) ? "join-taken" : "join-computer");
    enter.textContent = t(hint.hidden ? "join-enter" : isTaken(state) ? "join-ask" : "join-replace");
  };
}

/** @param {JoinState} state */
function titleOf(state) {
  const { view, seat, name } = state;
  const mine = view?.seats.find((entry) => entry.taken && entry.name === name);
  if (mine && mine.seat === seat) return t("join-mine", { name });
  return isFull(state) ? t("join-late", { n: view?.seats.length ?? 0 }) : t("join-title");
}

/** Whether a computer plays for the picked seat; before the game begins nobody does. */
function isComputers(/** @type {JoinState} */ { view, seat }) {
  return !view?.lobby && Boolean(view?.seats.find((entry) => entry.seat === seat)?.computer);
}

/**
 * Ask for a taken seat, show the outcome in `root`, and open the seat's page once it is granted.
 *
 * @param {HTMLElement} root
 * @param {{ name: string, seat: SeatName, lang: Lang }} wanted
 */
export async function askForSeat(root, wanted) {
  const asked = await post("join/ask", wanted);
  if (!granted(asked)) return;
  remember(KEPT_AS, asked.data.secret);
  await hear(root);
}

/** Go on asking what became of this phone's request, also after a look at another page. @param {HTMLElement} root */
export async function hear(root) {
  for (;;) {
    const secret = recall(KEPT_AS, "");
    const outcome = await post("join/hear", { secret });
    const state = outcome.ok ? outcome.data.state : "waiting";
    if (state !== "waiting") remember(KEPT_AS, "");
    if (state === "seated") {
      location.assign("/seat");
      return;
    }
    root.textContent = t(state === "waiting" ? "join-waiting" : "join-refused");
    if (state === "refused") return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
