// The programs that follow this table, for the host.

import { part } from "../core/bootstrap.js";
import { keysPanel } from "./keys.js";
import { overlayAddress } from "./overlay_address.js";

/** @import { HostFeature } from "#types" */

/** @type {HostFeature} */
export const PROGRAMS = {
  draws: () => {
    keysPanel(part("programs"), part("open-programs"));
    overlayAddress(part("overlay"));
    return () => {};
  },
};
