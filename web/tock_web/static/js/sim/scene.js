// The physical side of the simulated table: where pawns, hand and card really are, synced with the companion.

import { get, post } from "../core/api.js";
import { granted } from "../panels/frame.js";

/** @import { Reply, Point, SceneInfo, SeatName } from "#types" */

const POLL_MS = 2_000;
const HAND_MS = 120;
/** The answer of a table that is a real one. */
const NO_SCENE = 404;

export class Scene {
  /** @param {(state: SceneInfo) => void} onChange called with every new state of the table */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {SceneInfo | null} */
    this.state = null;
    /** @type {Point | null} */
    this.handAsked = null;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.handTimer = null;
    setInterval(() => {
      if (document.visibilityState === "visible") this.fetch();
    }, POLL_MS);
  }

  async fetch() {
    const answer = await get("sim/scene");
    // A camera has the table now: nothing here is read any more.
    if (answer.status === NO_SCENE) location.replace("/");
    this.take(answer);
  }

  /** @param {Reply<SceneInfo>} answer */
  take(answer) {
    if (!answer.ok || !answer.data) return;
    if (this.state && answer.data.revision === this.state.revision) return;
    this.state = answer.data;
    this.onChange(this.state);
  }

  /** @type {(path: "sim/pawn" | "sim/card" | "sim/hand" | "sim/put-back", data: object) => Promise<void>} */
  async change(path, data) {
    const answer = await post(path, data);
    if (granted(answer)) this.take(answer);
    // The drawing shows a drag that the table refused.
    else if (this.state) this.onChange(this.state);
  }

  /** @type {(id: string, place: Point) => Promise<void>} */
  movePawn(id, { x, y }) {
    return this.change("sim/pawn", { id, x_mm: x, y_mm: y });
  }

  /** Lay a pawn into the tray beside the board. @param {string} id */
  setAside(id) {
    return this.change("sim/pawn", { id, x_mm: null });
  }

  /** Put all pawns where the game has them. */
  putBack() {
    return this.change("sim/put-back", {});
  }

  /** @type {(card: string, seat: SeatName) => Promise<void>} */
  layCard(card, seat) {
    return this.change("sim/card", { card, seat });
  }

  takeCard() {
    return this.change("sim/card", { card: null });
  }

  /** Move the hand; while it is dragged only the newest place is sent. @param {Point} place */
  moveHand(place) {
    this.handAsked = place;
    this.handTimer ??= setTimeout(() => {
      this.handTimer = null;
      this.holdHand(this.handAsked);
    }, HAND_MS);
  }

  /** Hold the hand over a place, or take it away. @param {Point | null} place */
  holdHand(place) {
    return this.change("sim/hand", place ? { x_mm: place.x, y_mm: place.y } : { x_mm: null });
  }
}
