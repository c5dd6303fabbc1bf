// Tells a host about the other hosts and strangers' guesses: lines under the bar of the host's page, messages elsewhere.

import { bootstrap } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { toast } from "./frame.js";

/** @import { OtherHosts } from "#types" */

const root = h("div.notices", { role: "status", testid: "other-hosts" });
/** @type {{ others: OtherHosts }} */
const shown = { others: { names: bootstrap.session.other_hosts, guessing: false } };
onLanguage(draw);

function draw() {
  const { names, guessing } = shown.others;
  const lines = [...names.map(sentence), ...(guessing ? [t("host-guessing")] : [])];
  root.replaceChildren(...lines.map((line) => h("p", line)));
}

/**
 * Show the other hosts.
 *
 * @param {OtherHosts} others
 * @param {boolean} stays whether a line stays, as on the host's page
 */
export function tellHosts(others, stays) {
  const before = shown.others;
  shown.others = others;
  for (const name of others.names) if (!before.names.includes(name)) toast(sentence(name), "good");
  if (others.guessing && !before.guessing) toast(t("host-guessing"));
  if (stays && !root.isConnected) document.querySelector(".bar-room")?.after(root);
  draw();
  // For the list of hosts; it cannot be imported here, where players' pages would fetch it too.
  document.dispatchEvent(new Event("tock-hosts"));
}

/** @param {string | null} name */
function sentence(name) {
  return name === null ? t("other-host-phone") : t("other-host", { name });
}
