// The card with the code, to print and to lay on the table.

import { part, start } from "../core/start.js";

const { follow } = start();
follow("watch", () => {});
part("print").addEventListener("click", () => window.print());
