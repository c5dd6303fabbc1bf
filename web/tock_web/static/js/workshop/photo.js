// A photo with the detected board drawn over it, to touch under a magnifier.

import { seatStyles } from "../board/shapes.js";
import { h, s } from "../core/dom.js";
import { present } from "../core/store.js";
import { language, t } from "../core/words.js";
import { holeLabel, holeSeat, isFirstOfItsKind, nearestHole, pitchPx } from "./holes.js";
import { askNow, isAsked } from "./state.js";
import { Cropped } from "./cropped_photo.js";
import { Magnifier, within } from "../panels/magnifier.js";

/** @import { BoardMade, MadeHole } from "#types" */
/** @import { Box } from "./holes.js" */
/** @import { MakerState, Share } from "./state.js" */

/** A finger takes the hole nearest to it within this distance: half of a target of 44 pixels. */
const REACH_PX = 22;
const RADIUS_PITCHES = 0.36;
/** Scale of the rings that a question is about. */
const ASKED = 1.35;
/** Height of a letter in radii of a ring. */
const LETTER = 1.1;
const MIN_LETTER_PX = 9;
/** @type {Box} */
const WHOLE = [0, 0, 1, 1];
const DRAGS = ["move"];
const PICKS = ["move", "remove", "start", "own"];

export class MadePhoto {
  /**
   * @param {(hole: string | null, at: Share) => void} touched told of the hole, if any is near, and of the place
   * @param {(at: Share) => void} enlarged told of a place that was touched without a tool
   */
  constructor(touched, enlarged) {
    this.touched = touched;
    this.view = new Cropped("maker-photo", "maker-holes");
    this.image = this.view.image;
    this.magnifier = new Magnifier(this.image);
    this.root = h("div.made-photo", this.view.window, this.magnifier.canvas);
    /** @type {MakerState | null} */
    this.state = null;
    /** @type {{ hole: MadeHole | null, from: Share } | null} */
    this.held = null;
    this.drawn = "";
    const { stage } = this.view;
    stage.addEventListener("pointerdown", (event) => this.press(event));
    stage.addEventListener("pointermove", (event) => this.held && this.follow(event));
    stage.addEventListener("pointerup", (event) => this.held && this.release(event));
    stage.addEventListener("pointercancel", () => this.drop());
    stage.addEventListener("click", (event) => this.isIdle() && enlarged(this.magnifier.placeOf(event)));
  }

  /** @param {MakerState} state */
  draw(state) {
    this.state = state;
    const { made, photo, step, tool, zoom, boxes, focus } = state;
    const size = made?.photos[photo];
    this.root.hidden = !size || step === "check" || step === "name";
    // The next board has other photos under the same numbers.
    if (!size) this.image.removeAttribute("src");
    if (!made || !size) return;
    this.view.load(`/api/v1/board-maker/picture?number=${photo}`);
    this.image.alt = t("maker.photo-alt", { n: photo + 1 });
    this.view.fit(size, (made.board && boxes[photo]) || WHOLE, zoom, focus);
    this.view.stage.classList.toggle("touches", this.takesTouches());
    this.root.dataset.tool = step === "starts" ? "starts" : tool;
    const marks = [askNow(state), state.coloring, language(), this.view.scale()];
    const key = JSON.stringify([made.board, photo, state.starts, step, this.held?.hole?.id, marks]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.view.svg.replaceChildren(...present([this.holes(made, photo), this.starts(state)]));
  }

  /** Whether a finger has no tool in it, so that a tap only looks closer. */
  isIdle() {
    const { state } = this;
    return state?.step === "photos" || (state?.step === "mend" && state.tool === "look");
  }

  takesTouches() {
    const { state } = this;
    return Boolean(
      state && !state.isBusy && (state.step === "starts" || (state.step === "mend" && state.tool !== "look")),
    );
  }

  /** @type {(made: BoardMade, photo: number) => (SVGGElement | null)[]} */
  holes(made, photo) {
    const { board } = made;
    if (!board) return [];
    const { width, height } = made.photos[photo];
    const styles = seatStyles(board);
    const radius = RADIUS_PITCHES * pitchPx(made, photo);
    const isRoomy = radius * LETTER * this.view.scale() >= MIN_LETTER_PX;
    const letterPx = Math.max(radius * LETTER, MIN_LETTER_PX / this.view.scale());
    return board.holes.map((hole) => {
      const place = hole.places[photo];
      if (!place) return null;
      const [x, y] = [place[0] * width, place[1] * height];
      const seat = holeSeat(hole.id, board.zone_length);
      const asked = Boolean(this.state && isAsked(this.state, hole.id));
      const label = this.label(hole.id, isRoomy);
      const kinds = [
        "made-hole",
        hole.doubtful && "doubtful",
        hole.id.startsWith("+") && "nameless",
        this.held?.hole?.id === hole.id && "held",
        asked && "asked",
      ].filter(Boolean);
      const ring = { cx: x, cy: y, r: radius * (asked ? ASKED : 1), "stroke-width": radius * 0.3 };
      const color = seat ? styles.get(seat)?.fill : null;
      const text = { x, y: y + letterPx * 0.36, "font-size": letterPx, "text-anchor": "middle" };
      return s(
        "g",
        { class: kinds.join(" "), testid: `made-${hole.id}`, "data-doubtful": hole.doubtful ? 1 : null },
        s("circle.casing", { ...ring, "stroke-width": radius * 0.55 }),
        s("circle", { ...ring, stroke: color, class: color ? null : "plain" }),
        label && s("text", text, label),
      );
    });
  }

  /** The label of a hole, where it has room. @type {(id: string, isRoomy: boolean) => string} */
  label(id, isRoomy) {
    if (this.state && askNow(this.state) === "discover/ask_colors" && isAsked(this.state, id)) return "?";
    const zone = this.state?.made?.board?.zone_length;
    return isRoomy || isFirstOfItsKind(id, zone) ? holeLabel(id, t("maker.home-letter"), zone) : "";
  }

  /** @param {MakerState} state */
  starts({ made, photo, starts, step }) {
    if (step !== "starts" || !made) return [];
    const { width, height } = made.photos[photo];
    return starts.map(([x, y], index) =>
      s(
        "g.made-hole.held",
        s("circle.casing", {
          cx: x * width,
          cy: y * height,
          r: width * 0.014,
          "stroke-width": width * 0.006,
        }),
        s(
          "text",
          { x: x * width, y: y * height + width * 0.006, "font-size": width * 0.02, "text-anchor": "middle" },
          String(index + 1),
        ),
      ),
    );
  }

  /** @param {Share} at */
  holeAt(at) {
    const { state } = this;
    if (!state?.made) return null;
    const near = nearestHole(state.made, state.photo, at);
    const reach = REACH_PX / (this.image.getBoundingClientRect().width || 1);
    return near && near.distance < reach ? near.hole : null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (!this.takesTouches()) return;
    event.preventDefault();
    this.view.stage.setPointerCapture(event.pointerId);
    const from = this.magnifier.placeOf(event);
    this.held = { hole: this.isPicking() ? this.holeAt(from) : null, from };
    this.follow(event);
  }

  isPicking() {
    const { state } = this;
    return Boolean(state && state.step === "mend" && PICKS.includes(state.tool));
  }

  isDragging() {
    return Boolean(this.held?.hole && this.state && DRAGS.includes(this.state.tool));
  }

  /**
   * The place of the touch: a dragged hole keeps its distance from the finger, so that the finger does not hide it.
   * @type {(event: PointerEvent) => Share}
   */
  targetOf(event) {
    const [x, y] = this.magnifier.placeOf(event);
    const place = this.held?.hole?.places[this.state?.photo ?? 0];
    if (!this.held || !place || !this.isDragging()) return [x, y];
    const { from } = this.held;
    return [within(place[0] + x - from[0]), within(place[1] + y - from[1])];
  }

  /** @param {PointerEvent} event */
  follow(event) {
    const { held, state } = this;
    if (!held || !state) return;
    if (this.isPicking() && !this.isDragging()) held.hole = this.holeAt(this.magnifier.placeOf(event));
    const at = this.targetOf(event);
    this.magnifier.aim(this.isDragging() || !held.hole ? at : this.centre(held.hole, at));
    this.draw(state);
  }

  /** @type {(hole: MadeHole, fallback: Share) => Share} */
  centre(hole, fallback) {
    const place = hole.places[this.state?.photo ?? 0];
    return place ? [place[0], place[1]] : fallback;
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { held } = this;
    const at = this.targetOf(event);
    this.drop();
    this.touched(held?.hole?.id ?? null, at);
  }

  drop() {
    this.held = null;
    this.magnifier.hide();
    if (this.state) this.draw(this.state);
  }
}
