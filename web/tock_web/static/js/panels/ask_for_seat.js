// Asking for a taken seat, from the start page.

import { post } from "../core/api.js";
import { t } from "../core/words.js";
import { granted } from "./frame.js";

/** @import { Lang, SeatName } from "#types" */

const AGAIN_MS = 1_500;

/**
 * Ask for a taken seat, show the outcome in `root`, and open the seat's page once it is granted.
 *
 * @param {HTMLElement} root
 * @param {{ name: string, seat: SeatName, lang: Lang }} wanted
 */
export async function askForSeat(root, wanted) {
  const asked = await post("join/ask", wanted);
  if (!granted(asked)) return;
  root.textContent = t("join-waiting");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    const outcome = await post("join/hear", { secret: asked.data.secret });
    const state = outcome.ok ? outcome.data.state : "waiting";
    if (state === "seated") {
      location.assign("/seat");
      return;
    }
    if (state === "refused") {
      root.textContent = t("join-refused");
      return;
    }
  }
}
