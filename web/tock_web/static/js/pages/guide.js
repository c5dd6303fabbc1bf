// The user guide: the companion renders whole pages, so another language is another page.

import { start } from "../core/start.js";
import { onLanguage } from "../core/words.js";

start().follow("watch", () => {});
onLanguage(() => location.reload());
