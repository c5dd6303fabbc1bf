// Guests from far away, for the host; few tables have them, so their panel is fetched behind the others.

import { part } from "../core/bootstrap.js";
import { fetched } from "../panels/lazy_panel.js";

/** @import { HostFeature } from "#types" */

/** @type {HostFeature} */
export const FAR_HOST = {
  draws: (styles, waitFor) => {
    let drawn = () => {};
    waitFor(new Promise((go) => (drawn = () => go(null))));
    return fetched(
      () => import("./host_panel.js"),
      ({ hostPanel }) => hostPanel(part("far"), styles, drawn),
      () => true,
    );
  },
};
