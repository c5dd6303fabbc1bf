// The other hosts, each with a button that takes the rights away.

import { get, post } from "../core/api.js";
import { h } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { granted } from "./frame.js";

/** @import { Gets } from "#types" */
/** @typedef {Gets["host/others"]["hosts"]} HostRows */

/**
 * List them, with the PIN or the machine's code from `proof`; the button that saves a new PIN says whom it ends.
 *
 * @param {HTMLElement} root
 * @param {HTMLInputElement} proof
 * @param {HTMLElement} save
 */
export function hostList(root, proof, save) {
  /** @type {HostRows} */
  let hosts = [];
  const draw = () => {
    save.dataset.t = hosts.length ? "pin-save-ends" : "save";
    save.textContent = t(save.dataset.t === "save" ? "save" : "pin-save-ends");
    const rows = hosts.map(({ key, name, here }) => {
      const onclick = async () => {
        if (granted(await post("host/others/end", { key, proof: proof.value }))) await fetchHosts();
        else proof.select();
      };
      const attributes = { type: "button", class: "quiet", testid: `end-host-${key}`, onclick };
      const who = [name ?? t("host-phone"), here ? "" : ` (${t("host-not-here")})`];
      return h("li", {}, h("span", {}, who), h("button", attributes, t("host-end-one")));
    });
    root.replaceChildren(
      ...(rows.length ? [h("h3", {}, t("host-others")), h("ul", { class: "seats" }, rows)] : []),
    );
  };
  const fetchHosts = async () => {
    const answer = await get("host/others");
    if (!answer.ok) return;
    hosts = answer.data.hosts;
    draw();
  };
  onLanguage(draw);
  document.addEventListener("tock-hosts", fetchHosts);
  fetchHosts();
}
