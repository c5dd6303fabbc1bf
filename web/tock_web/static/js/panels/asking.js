// Asking for a seat that is taken, and waiting for the answer of its holder or of the host.

import { post } from "../core/api.js";
import { t } from "../core/words.js";
import { granted } from "./toast.js";

const AGAIN_MS = 1_500;

/** Ask, tell in `root` how it stands, and go to the seat after a yes. */
export async function askForSeat(root, wanted) {
  const asked = await post("join/ask", wanted);
  if (!granted(asked)) return;
  root.textContent = t("join-waiting");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    const heard = await post("join/hear", { secret: asked.data.secret });
    if (heard.data?.state === "seated") {
      location.assign("/seat");
      return;
    }
    if (heard.data?.state === "refused") {
      root.textContent = t("join-refused");
      return;
    }
  }
}
