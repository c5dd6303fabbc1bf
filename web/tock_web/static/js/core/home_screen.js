// The page on a home screen: its worker keeps scripts and styles, and has a page where the table is out of reach.

import { line } from "./line.js";

// Browsers have workers on HTTPS and on the machine itself alone.
if (!line.isRemote && navigator.serviceWorker) navigator.serviceWorker.register("/worker.js").catch(() => {});
