// A host learns who else is host: by a line under the bar of the host's page, and by a short word wherever they are.

import { bootstrap } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { toast } from "./frame.js";

/**
 * Put the line there; return the function that takes the names, null for a phone without a seat.
 *
 * @param {boolean} stays whether the line stays, as on the host's page
 */
export function otherHosts(stays) {
  const root = h("div", { class: "notices", role: "status", testid: "other-hosts" });
  document.querySelector(".bar-room")?.after(root);
  /** @type {readonly (string | null)[]} */
  let known = bootstrap.session.other_hosts;
  const draw = () => root.replaceChildren(...(stays ? known.map((name) => h("p", {}, sentence(name))) : []));
  onLanguage(draw);
  draw();
  return (/** @type {readonly (string | null)[]} */ names) => {
    for (const name of names) if (!known.includes(name)) toast(sentence(name), "good");
    known = names;
    draw();
  };
}

/** @param {string | null} name */
function sentence(name) {
  return name === null ? t("other-host-phone") : t("other-host", { name });
}
