// The board for spectators: no rights, no secrets.

import { part } from "../core/bootstrap.js";
import { start } from "../core/start.js";
import { publicBoard } from "../panels/public.js";
import { replayPanel } from "../panels/replay.js";

const { boardFile, looks, follow } = start();
follow("watch", publicBoard(boardFile, looks));
replayPanel(part("replay"), boardFile, looks);
