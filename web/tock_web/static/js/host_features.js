// The features that draw on the host's page.

import { CLUB } from "./club/host_feature.js";
import { FAR_HOST } from "./far/host_feature.js";
import { PROGRAMS } from "./programs/host_feature.js";
import { WORKSHOP } from "./workshop/host_feature.js";

/** @import { HostFeature } from "#types" */

/** @type {readonly HostFeature[]} */
export const HOST_FEATURES = [WORKSHOP, CLUB, FAR_HOST, PROGRAMS];
