// The cards of all tables without sensors, to print.

import { part } from "../core/bootstrap.js";
import { bar } from "../panels/frame.js";

bar()("live");
part("print").addEventListener("click", () => window.print());
