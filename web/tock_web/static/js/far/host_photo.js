// The real hand of somebody far away, photographed at home: which cards it shows is seen on their phone alone.

import { upload } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { t } from "../core/words.js";
import { granted, toast } from "../panels/frame.js";
import { smaller } from "../panels/photo.js";

/** @import { SeatName } from "#types" */

/** @param {SeatName} seat */
export function photoButton(seat) {
  const input = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    class: "out-of-sight",
    testid: "far-photo-file",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    toast(t("far-host.reading"), "good");
    const answer = await upload("far/hand", await smaller(file), { seat });
    if (!granted(answer)) return;
    const { read, unread } = answer.data;
    toast(t(unread ? "far-host.read-some" : "far-host.read", { read, unread }), "good");
  });

  return [input, button("wide", "far-photo", t("far-host.photo"), () => input.click())];
}
