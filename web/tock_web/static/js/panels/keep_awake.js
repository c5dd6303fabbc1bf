// The screen of a phone stays on while its player's game goes on, where browser and player have it so.

import { recall } from "../core/bootstrap.js";
import { arrived } from "./frame.js";

/** @import { SeatView } from "#types" */

/** @type {{ isPlaying: boolean, hold?: () => unknown }} */
const awake = { isPlaying: false };

/** @param {SeatView} view */
export async function keepAwake({ expects, lobby }) {
  awake.isPlaying = !lobby && expects !== "over";
  if (awake.isPlaying && !awake.hold && "wakeLock" in navigator) {
    const screen = await arrived(import("../camera/awake.js"));
    const isWanted = () => awake.isPlaying && recall("awake", "on") === "on";
    if (screen) awake.hold ??= screen.stayAwake(() => {}, isWanted);
  } else awake.hold?.();
}
