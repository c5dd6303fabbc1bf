// The board for people who look on: no rights, no secrets.

import { part, start } from "../core/start.js";
import { t } from "../core/words.js";
import { publicBoard } from "../panels/public.js";

const { boardFile, looks, follow } = await start();
follow("watch", publicBoard(boardFile, looks, { board: part("board"), label: t("board") }));
