// Who plays from far away: few tables have them, so the host's part of it is fetched behind the others.

import { fetched } from "./lazy_panel.js";

/** @import { HostView, SeatStyles } from "#types" */

/** @type {(root: HTMLElement, styles: SeatStyles) => (view: HostView) => void} */
export function farPanel(root, styles) {
  return fetched(
    () => import("./far_host.js"),
    (found) => found.farHost(root, styles),
    () => true,
  );
}
