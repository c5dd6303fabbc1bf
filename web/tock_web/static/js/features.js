// The features that draw on every page of a table.

import { FAR } from "./far/feature.js";

/** @import { Feature } from "#types" */

/** @type {readonly Feature[]} */
export const FEATURES = [FAR];
