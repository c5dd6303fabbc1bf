// The page of a club: the part of it that the server gave to this caller.

import { bootstrap, part } from "../core/bootstrap.js";
import { arrived, bar } from "../panels/frame.js";
import { showDirector } from "../club/director.js";
import { showHall } from "../club/hall.js";
import { showSheet } from "../club/sheet.js";

const showState = bar();
/** Only the tables on a broker have boards to draw: their script is fetched where they are shown. */
const parts = {
  tables: async () => (await arrived(import("../club/tables.js")))?.showTables(showState),
  hall: () => showHall(showState),
  director: () => showDirector(showState),
  sheet: () => showSheet(showState),
  cards: () => {
    part("print").addEventListener("click", () => window.print());
    showState("live");
  },
};
parts[/** @type {keyof typeof parts} */ (bootstrap.part)]();
