// The meeting place of two homes: its address is tried, kept and used at once.

import { postSlow } from "../core/api.js";
import { bootstrap } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { t } from "../core/words.js";
import { granted, toast } from "../panels/frame.js";
import { proofField } from "../panels/proof.js";

/** The relay is silent, or the address is none. */
const NO_ANSWER = 409;

/** The card, whose fields keep their text while it is drawn again. */
export function meetingPlace() {
  const address = h("input.far-address", {
    id: "far-relay",
    testid: "far-relay",
    inputmode: "url",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: "tock.example.org",
  });
  const { box, input: proof } = proofField(bootstrap.session, "far-relay-proof");
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = address.value.trim();
    const value = typed.includes("://") ? typed : ["https", typed].join("://");
    const answer = await postSlow("machine/settings", { name: "far.relay", value, proof: proof.value });
    if (answer.ok) toast(t("far-host.relay-answers"), "good");
    else if (answer.status === NO_ANSWER) toast(t("far-host.no-relay"));
    else if (!granted(answer)) proof.select();
  };
  return () =>
    h(
      "form",
      { onsubmit, autocomplete: "off", testid: "far-off" },
      h("p.hint-line", t("far-host.off")),
      h("label", { for: "far-relay" }, t("far-host.relay")),
      address,
      box,
      h("button.wide", { type: "submit", testid: "far-try" }, t("far-host.try")),
    );
}
