// A host learns who else is host: by a line under the bar of the host's page, and by a short word wherever they are.

import { bootstrap } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { toast } from "./frame.js";

/** The line, and the names that were told. */
const shown = {
  root: h("div", { class: "notices", role: "status", testid: "other-hosts" }),
  names: bootstrap.session.other_hosts,
};
onLanguage(draw);

function draw() {
  shown.root.replaceChildren(...shown.names.map((name) => h("p", {}, sentence(name))));
}

/**
 * Say who is host too.
 *
 * @param {readonly (string | null)[]} names null for a phone without a seat
 * @param {boolean} stays whether a line stays, as on the host's page
 */
export function tellHosts(names, stays) {
  for (const name of names) if (!shown.names.includes(name)) toast(sentence(name), "good");
  shown.names = [...names];
  if (stays && !shown.root.isConnected) document.querySelector(".bar-room")?.after(shown.root);
  draw();
}

/** @param {string | null} name */
function sentence(name) {
  return name === null ? t("other-host-phone") : t("other-host", { name });
}
