// The settings of a phone's camera that people change: which lens, the zoom, the torch.

import { part, partOf } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { lenses } from "./lens.js";

/** @import { Lens } from "./lens.js" */

/**
 * Offer the settings of this phone's camera.
 *
 * @param {Lens} lens
 * @param {(deviceId: string) => Promise<boolean>} open opens another camera
 */
export async function showSettings(lens, open) {
  const { torch, zoom } = lens.capabilities;
  const found = await lenses();
  const choice = partOf(HTMLSelectElement, "lens");
  const now = lens.track?.getSettings().deviceId;
  choice.replaceChildren(
    ...found.map(({ deviceId, label }, index) =>
      h("option", { value: deviceId, selected: deviceId === now }, label || String(index + 1)),
    ),
  );
  part("lens-box").hidden = found.length < 2;
  choice.onchange = async () => {
    if (await open(choice.value)) showSettings(lens, open);
  };
  toggle("torch", torch === true, (isOn) => lens.set({ torch: isOn }));
  const slider = partOf(HTMLInputElement, "zoom");
  part("zoom-box").hidden = !zoom || zoom.max <= zoom.min;
  if (!zoom) return;
  Object.assign(slider, { min: zoom.min, max: zoom.max, step: zoom.step });
  slider.oninput = () => lens.set({ zoom: Number(slider.value) });
}

/** @type {(id: string, isOffered: boolean, act: (isOn: boolean) => void) => void} */
function toggle(id, isOffered, act) {
  const node = part(id);
  node.hidden = !isOffered;
  node.onclick = () => {
    const isOn = node.getAttribute("aria-pressed") !== "true";
    node.setAttribute("aria-pressed", String(isOn));
    act(isOn);
  };
}
