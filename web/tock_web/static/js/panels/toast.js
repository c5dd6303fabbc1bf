// Short answers of the companion: why a wish was refused.

import { h } from "../core/dom.js";
import { say, t } from "../core/words.js";

const SHOWN_MS = 6_000;
let timer = null;

/** Show a sentence for a few seconds. */
export function toast(text, kind = "bad") {
  let box = document.getElementById("toast");
  if (!box) {
    box = h("div", { id: "toast", role: "status", testid: "toast" });
    document.body.append(box);
  }
  box.className = kind;
  box.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    box.textContent = "";
  }, SHOWN_MS);
}

/** Tell the reason when an answer is a refusal; return whether the wish was granted. */
export function granted(answer) {
  if (answer.ok) return true;
  const reason = say(answer.data?.message);
  if (reason) toast(reason);
  else if (answer.status === 0) toast(t("connection.lost"));
  else toast(t("refused"));
  return false;
}
