// The club of this table, for the host.

import { part } from "../core/bootstrap.js";
import { membershipPanel } from "./membership.js";

/** @import { HostFeature } from "#types" */

/** @type {HostFeature} */
export const CLUB = {
  draws: (_, waitFor) => {
    waitFor(membershipPanel(part("club"), part("open-club")));
    return () => {};
  },
};
