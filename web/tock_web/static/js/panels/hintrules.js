// The host says how much advice there may be.

import { get, post } from "../core/api.js";
import { h } from "../core/dom.js";
import { t } from "../core/words.js";
import { granted, toast } from "./toast.js";

export async function hintRules(most, perSeat) {
  const rules = await get("hints");
  if (!rules.ok) return;
  most.replaceChildren(
    ...["off", "nudge", "hint", "teacher"].map((level) => h("option", { value: level }, t(`hints-${level}`))),
  );
  most.value = rules.data.most;
  perSeat.value = rules.data.per_seat ?? "";
  async function send() {
    const number = perSeat.value === "" ? null : Number(perSeat.value);
    if (granted(await post("hints", { most: most.value, per_seat: number }))) toast(t("done"), "good");
  }
  most.addEventListener("change", send);
  perSeat.addEventListener("change", send);
}
