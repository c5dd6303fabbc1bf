// The board for people who look on: no rights, no secrets.

import { part, start } from "../core/start.js";
import { publicBoard } from "../panels/public.js";
import { replayPanel } from "../panels/replay.js";

const { boardFile, looks, follow } = start();
follow("watch", publicBoard(boardFile, looks, part("board")));
replayPanel(part("replay"), boardFile, looks);
