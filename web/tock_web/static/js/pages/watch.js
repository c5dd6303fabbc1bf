// The board for spectators: no rights, no secrets.

import { part } from "../core/bootstrap.js";
import { start } from "../core/start.js";
import { publicBoard } from "../panels/public_board.js";
import { replayPanel } from "../panels/replay.js";

const { boardFile, styles, follow } = start();
follow("watch", publicBoard(boardFile, styles));
replayPanel(part("replay"), boardFile, styles);
