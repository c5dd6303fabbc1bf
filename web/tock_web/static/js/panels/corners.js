// The host touches four holes in the camera's picture, under a magnifier, so that the camera finds the board.

import { spreadHoles } from "../board/layout.js";
import { postSlow } from "../core/api.js";
import { button, h, s } from "../core/dom.js";
import { say, t } from "../core/words.js";
import { Magnifier, within } from "./magnifier.js";

/** @import { Children, HoleId } from "#types" */
/** @import { Board } from "../board/board.js" */
/** @typedef {[x: number, y: number]} Share a place in the picture, as shares of its width and height */

/** @type {Record<string, Share>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEY_STEP = 0.01;

export class Corners {
  /**
   * Touches on `image` in its `stage`; the hole asked for is ringed on `board`.
   *
   * @param {HTMLElement} stage
   * @param {HTMLImageElement} image
   * @param {Board} board
   * @param {() => void} changed draws the words again
   */
  constructor(stage, image, board, changed) {
    this.stage = stage;
    this.image = image;
    this.board = board;
    this.changed = changed;
    this.holes = spreadHoles(board.boardFile.holes);
    /** @type {Share[]} */
    this.places = [];
    this.isOn = false;
    this.isBusy = false;
    this.isHeld = false;
    /** @type {{ ok: boolean, message: string } | null} */
    this.answer = null;
    /** @type {Share} */
    this.point = [0.5, 0.5];
    this.magnifier = new Magnifier(image);
    this.marks = h("div.camera-marks");
    stage.append(this.marks, this.magnifier.canvas);
    stage.addEventListener("pointerdown", (event) => this.asked && this.hold(event));
    stage.addEventListener("pointermove", (event) => this.isHeld && this.aim(this.magnifier.placeOf(event)));
    stage.addEventListener("pointerup", (event) => this.isHeld && this.take(this.magnifier.placeOf(event)));
    stage.addEventListener("pointercancel", () => this.release());
    stage.addEventListener("keydown", (event) => this.asked && this.type(event));
  }

  /** The hole to be touched next, undefined while nothing is asked. @returns {HoleId | undefined} */
  get asked() {
    return this.isOn ? this.holes[this.places.length] : undefined;
  }

  start() {
    this.isOn = true;
    this.places = [];
    this.answer = null;
    this.show();
    this.stage.focus({ preventScroll: true });
    const dialog = this.stage.closest("dialog");
    if (dialog) dialog.scrollTop = 0;
  }

  stop() {
    this.isOn = false;
    this.places = [];
    this.show();
  }

  /** Forget the last place. */
  back() {
    this.places.pop();
    this.show();
  }

  show() {
    this.release();
    this.stage.classList.toggle("asks", Boolean(this.asked));
    const attributes = { tabindex: "0", role: "application", "aria-label": t("corner-keys") };
    for (const [name, value] of Object.entries(attributes)) {
      if (this.asked) this.stage.setAttribute(name, value);
      else this.stage.removeAttribute(name);
    }
    const marks = this.places.map(([x, y], index) => {
      const mark = h("span", String(index + 1));
      mark.style.left = `${100 * x}%`;
      mark.style.top = `${100 * y}%`;
      return mark;
    });
    this.marks.replaceChildren(...marks);
    this.changed();
  }

  /** Ring the hole asked for on the drawing. */
  ring() {
    const place = this.asked && this.board.layout.at(this.asked);
    const { pitch } = this.board.layout;
    const ring = place && {
      class: "mend right",
      cx: place.x,
      cy: place.y,
      r: pitch * 0.75,
      "stroke-width": pitch * 0.25,
      "data-hole": this.asked,
      testid: "corner-asked",
    };
    this.board.put("asked", ring && s("circle", ring));
  }

  /** @param {PointerEvent} event */
  hold(event) {
    event.preventDefault();
    this.stage.setPointerCapture(event.pointerId);
    this.isHeld = true;
    this.aim(this.magnifier.placeOf(event));
  }

  release() {
    this.isHeld = false;
    this.magnifier.hide();
  }

  /** @param {Share} place */
  aim(place) {
    this.point = place;
    this.magnifier.aim(place);
  }

  /** @param {KeyboardEvent} event */
  type(event) {
    const move = KEYS[event.key];
    if (!move && event.key !== "Enter") return;
    event.preventDefault();
    const [x, y] = this.point;
    const step = event.shiftKey ? KEY_STEP / 5 : KEY_STEP;
    if (move) this.aim([within(x + move[0] * step), within(y + move[1] * step)]);
    else this.take(this.point);
  }

  /** @param {Share} place */
  async take(place) {
    this.places.push(place);
    this.show();
    if (this.asked) return;
    this.isBusy = true;
    this.changed();
    const touches = Object.fromEntries(this.holes.map((hole, index) => [hole, this.places[index]]));
    const answer = await postSlow("camera/touch", { touches });
    this.isBusy = false;
    this.answer = { ok: answer.ok, message: answer.ok ? "" : say(answer.data?.message) };
    this.stop();
  }

  /** Everything that `words` depends on. */
  key() {
    return [this.isOn, this.places.length, this.isBusy, this.answer];
  }

  /** @returns {Children} */
  words() {
    if (this.isBusy) return h("p", { role: "status" }, t("corner-search"));
    if (!this.asked) return [this.result(), h("p.hint-line", t("corner-why")), this.startButton()];
    const count = { n: this.places.length + 1, all: this.holes.length };
    const sentence = { class: "correct-say", role: "status", testid: "corner-say" };
    return [
      h("p", sentence, t("corner-touch", count)),
      this.places.length > 0 && button("quiet", "corner-back", t("corner-back"), () => this.back()),
      button("quiet", "corner-stop", t("corner-stop"), () => this.stop()),
    ];
  }

  startButton() {
    return button("wide", "corner-start", t("corner-start"), () => this.start());
  }

  result() {
    const { answer } = this;
    if (!answer) return null;
    const words = answer.ok ? t("corner-found") : answer.message || t("connection.lost");
    return h("p", { class: answer.ok ? "good" : "bad", role: "status", testid: "corner-answer" }, words);
  }
}
