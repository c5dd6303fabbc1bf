// The card with the code, to print and to lay on the table.

import { part } from "../core/bootstrap.js";
import { start } from "../core/start.js";

const { follow } = start();
follow("watch", () => {});
part("print").addEventListener("click", () => window.print());
