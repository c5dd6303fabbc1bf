// The physical table of the simulation: where pawns, hand and card really are, told to and by the companion.

import { get, post } from "../core/api.js";
import { granted } from "../panels/toast.js";

const POLL_MS = 2_000;
const HAND_MS = 120;

export class Scene {
  /** `onChange(scene)` is called with every new state of the table. */
  constructor(onChange) {
    this.onChange = onChange;
    this.state = null;
    this.handAsked = null;
    this.handTimer = null;
    setInterval(() => document.visibilityState === "visible" && this.look(), POLL_MS);
  }

  async look() {
    this.take(await get("sim/scene"));
  }

  take(answer) {
    if (!answer.ok || !answer.data) return;
    if (this.state && answer.data.revision === this.state.revision) return;
    this.state = answer.data;
    this.onChange(this.state);
  }

  async change(path, data) {
    const answer = await post(path, data);
    if (granted(answer)) this.take(answer);
    else this.onChange(this.state);
  }

  movePawn(id, { x, y }) {
    return this.change("sim/pawn", { id, x_mm: x, y_mm: y });
  }

  layCard(card, seat) {
    return this.change("sim/card", { card, seat });
  }

  takeCard() {
    return this.change("sim/card", { card: null });
  }

  /** Move the hand; while it is dragged only the newest place is sent. */
  moveHand(place) {
    this.handAsked = place;
    this.handTimer ??= setTimeout(() => {
      this.handTimer = null;
      this.holdHand(this.handAsked);
    }, HAND_MS);
  }

  /** Hold the hand over a place, or take it away with null. */
  holdHand(place) {
    return this.change("sim/hand", place ? { x_mm: place.x, y_mm: place.y } : { x_mm: null });
  }
}
