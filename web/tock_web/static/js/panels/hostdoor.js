// The way in for the host: one touch while there is no PIN, else the PIN.

import { post } from "../core/api.js";
import { part } from "../core/start.js";
import { granted } from "./toast.js";

/** Show the door to who is not the host; `session` says whether a PIN is needed. */
export function hostDoor(session) {
  part("host-door").hidden = false;
  part("host-taken").hidden = !session.host_taken || session.pin;
  part("pin-box").hidden = !session.pin;
  part("host-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (granted(await post("host", session.pin ? { pin: part("pin").value } : {}))) location.reload();
    else part("pin").select();
  });
}

/** Let the host choose a PIN. */
export function pinForm(session) {
  const form = part("new-pin-form");
  part("no-pin").hidden = session.pin;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const pin = part("new-pin").value;
    if (granted(await post("host/pin", { pin: pin || null }))) location.reload();
  });
}
