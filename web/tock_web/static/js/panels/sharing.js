// Handing a file to the phone's own sharing, or keeping it where there is none.

import { h } from "../core/dom.js";
import { t } from "../core/words.js";
import { toast } from "./frame.js";

/** @import { Word } from "#types" */

/**
 * @param {Blob} blob
 * @param {string} name of the file
 * @param {Word} kept the message when it was saved
 */
export async function handOver(blob, name, kept) {
  const file = new File([blob], name, { type: blob.type });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: "Tock" });
    } catch {
      // Whoever changes their mind shares nothing.
    }
    return;
  }
  // Sharing needs a secure address, which the companion has not on every network.
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
  toast(t(kept), "good");
}
