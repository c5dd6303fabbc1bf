// Sheets of the host's page that do not depend on the game.

import { part, partOf } from "../core/bootstrap.js";
import { membershipPanel } from "./membership.js";
import { foldedCamera } from "./sources.js";
import { voicePanel } from "./voice.js";

/** Fill them, once the host is in. */
export function hostSheets() {
  voicePanel(part("voice"));
  membershipPanel(part("club"), part("open-club"));
  foldedCamera(partOf(HTMLDetailsElement, "camera-box"));
}
