// The table's Wi-Fi, for the host: its own or the house's. A choice is tried, and undone automatically.

import { get, post } from "../core/api.js";
import { part, partOf } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { drawUntouched } from "../core/finger.js";
import { valueStore } from "../core/store.js";
import { onLanguage, t } from "../core/words.js";
import { granted, toast } from "./frame.js";

/** @import { WifiState } from "#types" */
/** @typedef {{ wifi: WifiState | null }} PanelState */
/** @typedef {"machine/wifi/own" | "machine/wifi/house" | "machine/wifi/join"} Change */

const LOOK_AGAIN_MS = 5_000;

/** Show the part of the machine's page about the Wi-Fi, where there is a radio. */
export async function showWifi() {
  const store = valueStore(/** @type {PanelState} */ ({ wifi: null }), draw);
  const look = async () => {
    const answer = await get("machine/wifi");
    // From the old network, a change of network looks like an unreachable table.
    if (answer.ok) store.dispatch({ wifi: answer.data });
    return answer.ok ? answer.data : store.state.wifi;
  };
  const watch = async () => {
    const wifi = await look();
    if (typeof wifi?.left_s === "number") setTimeout(watch, LOOK_AGAIN_MS);
  };
  const change = async (/** @type {Change} */ path, /** @type {object} */ data) => {
    if (!granted(await post(path, data))) return;
    toast(t("wifi.trying"), "good");
    setTimeout(watch, LOOK_AGAIN_MS / 2);
  };

  const valueOf = (/** @type {string} */ id) => partOf(HTMLInputElement, id).value;
  part("wifi-own").addEventListener("submit", (event) => {
    event.preventDefault();
    const [name, password] = [valueOf("own-name").trim(), valueOf("own-password").trim()];
    change("machine/wifi/own", { name, password });
  });
  part("wifi-join").addEventListener("submit", (event) => {
    event.preventDefault();
    change("machine/wifi/join", { name: valueOf("house-name"), password: valueOf("house-password") });
  });
  part("wifi-houses").addEventListener("click", (event) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset.id : undefined;
    if (id) change("machine/wifi/house", { id });
  });
  onLanguage(() => draw(store.state));
  await watch();
}

/** @param {PanelState} state */
function draw({ wifi }) {
  part("wifi").hidden = !wifi?.radio;
  if (!wifi?.radio) return;
  part("wifi-now").replaceChildren(...sentences(wifi).map((text) => h("p", text)));
  part("wifi-card").hidden = !wifi.own;
  if (wifi.own) {
    part("wifi-name").textContent = wifi.own.name;
    part("wifi-password").textContent = wifi.own.password;
    partOf(HTMLImageElement, "wifi-code").src = wifi.own.image;
  }
  const isOwn = wifi.mode === "own";
  part("wifi-open").textContent = t(isOwn ? "wifi.change" : "wifi.open");
  partOf(HTMLInputElement, "own-name").placeholder = wifi.own?.name ?? "Tock";
  partOf(HTMLInputElement, "own-password").placeholder = wifi.own ? t("wifi.as-before") : t("wifi.made");
  const houses = (wifi.houses ?? []).filter(({ name }) => isOwn || name !== wifi.name);
  drawUntouched(part("wifi-houses"), () => part("wifi-houses").replaceChildren(...houses.map(houseButton)));
}

/** @param {{ id: string, name: string }} house */
function houseButton({ id, name }) {
  return h(
    "button.wide",
    { type: "button", "data-id": id, testid: `house-${name}` },
    t("wifi.join-known", { name }),
  );
}

/** The present state, the network on trial, and the last failure. @param {WifiState} wifi */
export function sentences({ mode, name = "", left_s, failed }) {
  const now = t(mode === "own" || mode === "house" ? `wifi.now-${mode}` : "wifi.now-none", { name });
  if (typeof left_s === "number") return [now, t("wifi.trial", { name, seconds: left_s })];
  return failed ? [now, t("wifi.failed", { name: failed.name })] : [now];
}
