// A link to somebody far away: to scan, to send, to copy.

import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { toast } from "../panels/frame.js";

/** @import { FarRow } from "#types" */

/** @param {FarRow} row */
export function linkParts({ link, qr, seat, watches }) {
  const kind = seat ? "" : watches ? "-watch" : "-board";
  const attributes = { class: "far-address", readonly: true, value: link, "aria-label": t("far-host.link") };
  /** @type {HTMLInputElement} */
  const field = h("input", attributes);
  const copyIt = () => copy(field);
  const address = h("a", { href: link, testid: "far-link", rel: "noreferrer" }, t("far-host.link"));
  return [
    h(
      "div.button-grid",
      ways(t(`far-host.message${kind}`, { link })),
      button("wide", "far-copy", t("far-host.copy"), copyIt),
    ),
    field,
    h("img.phone-code", { src: qr, alt: t("far-host.link"), testid: "far-code" }),
    h("p.hint-line", t(`far-host.link-what${kind}`), " ", address),
  ];
}

/**
 * The phone's share sheet; on a home network without a certificate browsers keep it back, and there are links.
 */
function ways(/** @type {string} */ text) {
  if ("share" in navigator) {
    const onclick = () => void navigator.share({ text }).catch(() => {});
    return button("main", "far-share", t("far-host.share"), onclick);
  }
  const sent = encodeURIComponent(text);
  return [
    h("a.wide", { href: `sms:?&body=${sent}`, testid: "far-sms" }, t("far-host.sms")),
    h("a.wide", { href: `mailto:?body=${sent}`, testid: "far-mail" }, t("far-host.mail")),
  ];
}

/** @param {HTMLInputElement} field */
function copy(field) {
  field.select();
  // The newer way works on encrypted pages alone.
  document.execCommand("copy");
  toast(t("far-host.copied"), "good");
}
