// The board workshop, for the host: its button stands above the list of boards.

import { bootstrap, part } from "../core/bootstrap.js";
import { h } from "../core/dom.js";
import { Maker } from "./maker.js";

/** @import { HostFeature } from "#types" */

/** @type {HostFeature} */
export const WORKSHOP = {
  draws: () => {
    const root = h("p");
    part("boards").before(root);
    const maker = new Maker(root, bootstrap.session);
    return (view) => {
      maker.view = view;
    };
  },
  doors: { "#board": ["open-boards", "maker-open"] },
};
