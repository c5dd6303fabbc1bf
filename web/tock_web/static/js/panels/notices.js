// Notices for everybody, on every page: that the host is recording, and the machine's faults.

import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";

/** @import { PublicView } from "#types" */

/** Put the notices where they do not move a board; return the function that draws those of a view. */
export function notices() {
  const root = h("div", { class: "notices", role: "status" });
  // The host's page shows them at its door too.
  const alerts = document.querySelector(".columns:not(#host-columns) > .alerts");
  if (alerts) alerts.prepend(root);
  else document.querySelector(".bar-room")?.after(root);
  const draw = drawer(root, (/** @type {PublicView} */ { recording, health }) => [
    recording && h("p", { testid: "recorded" }, t("recorded")),
    health.map(({ code, sentence }) => h("p", { testid: `health-${code}` }, say(sentence))),
  ]);
  return (/** @type {PublicView} */ view) => draw([language(), view.recording, view.health], view);
}
