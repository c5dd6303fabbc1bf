// Tells a host about the other hosts: a line under the bar of the host's page, a short message elsewhere.

import { bootstrap } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { toast } from "./frame.js";

/** The line, and the names in it. */
const shown = {
  root: h("div", { class: "notices", role: "status", testid: "other-hosts" }),
  names: bootstrap.session.other_hosts,
};
onLanguage(draw);

function draw() {
  shown.root.replaceChildren(...shown.names.map((name) => h("p", {}, sentence(name))));
}

/**
 * Show the other hosts.
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
