// Sheets of the host's page that do not depend on the game.

import { part, partOf } from "../core/bootstrap.js";
import { foldedCamera } from "./sources.js";
import { HOST_FEATURES } from "../host_features.js";
import { voicePanel } from "./voice.js";

/** Fill them, once the host is in. */
export function hostSheets() {
  voicePanel(part("voice"));
  foldedCamera(partOf(HTMLDetailsElement, "camera-box"));
  openAddressed();
  addEventListener("hashchange", openAddressed);
}

/** The buttons that a link from a lobby stands for, by the end of its address. @type {Record<string, string[]>} */
const DOORS = Object.assign({ "#phone": ["open-sources"] }, ...HOST_FEATURES.map(({ doors }) => doors));

/** Open the sheet that the address names, once. */
function openAddressed() {
  const doors = DOORS[location.hash] ?? [];
  if (doors.length) history.replaceState(null, "", location.pathname);
  for (const door of doors) {
    const node = document.querySelector(`[data-testid=${door}]`);
    if (node instanceof HTMLElement) node.click();
  }
}
