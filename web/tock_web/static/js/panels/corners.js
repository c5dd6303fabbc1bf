// The host touches four holes in the camera's picture, under a magnifier, so that the camera finds the board.

import { postSlow } from "../core/api.js";
import { h, s } from "../core/dom.js";
import { say, t } from "../core/words.js";

const ENLARGED = 3;
const LENS_PX = 150;
const TILT = Math.PI / 9;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEY_STEP = 0.01;

/** Four holes far from each other: on a cross, tilted directions find one on each arm. */
function farHoles(holes) {
  return [0, 1, 2, 3].map((quarter) => {
    const angle = TILT + (quarter * Math.PI) / 2;
    const along = ({ x, y }) => x * Math.cos(angle) + y * Math.sin(angle);
    return holes.reduce((best, hole) => (along(hole) > along(best) ? hole : best)).id;
  });
}

const within = (share) => Math.min(1, Math.max(0, share));

export class Corners {
  /** Touch `image` in its `stage`; the hole asked for is ringed on `board`, `changed()` draws the words again. */
  constructor(stage, image, board, changed) {
    Object.assign(this, { stage, image, board, changed });
    this.holes = farHoles(board.boardFile.holes);
    this.places = [];
    this.isOn = false;
    this.isBusy = false;
    this.answer = null;
    this.lens = h("canvas", { class: "lens", width: LENS_PX, height: LENS_PX, hidden: true });
    this.marks = h("div", { class: "camera-marks" });
    stage.append(this.marks, this.lens);
    this.point = [0.5, 0.5];
    stage.addEventListener("pointerdown", (event) => this.asked && this.hold(event));
    stage.addEventListener("pointermove", (event) => this.isHeld && this.aim(this.placeOf(event)));
    stage.addEventListener("pointerup", (event) => this.isHeld && this.take(this.placeOf(event)));
    stage.addEventListener("pointercancel", () => this.release());
    stage.addEventListener("keydown", (event) => this.asked && this.type(event));
  }

  /** The hole to be touched next, undefined while nothing is asked. */
  get asked() {
    return this.isOn ? this.holes[this.places.length] : undefined;
  }

  start() {
    Object.assign(this, { isOn: true, places: [], answer: null });
    this.show();
    this.stage.focus({ preventScroll: true });
    this.stage.closest("dialog").scrollTop = 0;
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
    for (const [name, value] of [
      ["tabindex", "0"],
      ["role", "application"],
      ["aria-label", t("corner-keys")],
    ]) {
      if (this.asked) this.stage.setAttribute(name, value);
      else this.stage.removeAttribute(name);
    }
    this.marks.replaceChildren(
      ...this.places.map(([x, y], number) => {
        const mark = h("span", {}, String(number + 1));
        mark.style.left = `${100 * x}%`;
        mark.style.top = `${100 * y}%`;
        return mark;
      }),
    );
    this.changed();
  }

  /** Ring the hole asked for on the drawing. */
  ring() {
    const at = this.asked && this.board.layout.at(this.asked);
    const { pitch } = this.board.layout;
    this.board.put(
      "asked",
      at &&
        s("circle", {
          class: "mend right",
          cx: at.x,
          cy: at.y,
          r: pitch * 0.75,
          "stroke-width": pitch * 0.25,
          "data-hole": this.asked,
          testid: "corner-asked",
        }),
    );
  }

  placeOf(event) {
    const { left, top, width, height } = this.image.getBoundingClientRect();
    return [within((event.clientX - left) / width), within((event.clientY - top) / height)];
  }

  hold(event) {
    event.preventDefault();
    this.stage.setPointerCapture(event.pointerId);
    this.isHeld = true;
    this.aim(this.placeOf(event));
  }

  release() {
    this.isHeld = false;
    this.lens.hidden = true;
  }

  /** Show the surroundings of a place larger, on the side where no finger is. */
  aim([x, y]) {
    this.point = [x, y];
    const { naturalWidth, naturalHeight, clientWidth } = this.image;
    const side = ((LENS_PX / ENLARGED) * naturalWidth) / (clientWidth || 1);
    const pen = this.lens.getContext("2d");
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, LENS_PX, LENS_PX);
    pen.drawImage(
      this.image,
      x * naturalWidth - side / 2,
      y * naturalHeight - side / 2,
      side,
      side,
      0,
      0,
      LENS_PX,
      LENS_PX,
    );
    const middle = LENS_PX / 2;
    for (const [color, width] of [
      ["#000", 4],
      ["#fff", 2],
    ]) {
      pen.strokeStyle = color;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(middle, 0);
      pen.lineTo(middle, LENS_PX);
      pen.moveTo(0, middle);
      pen.lineTo(LENS_PX, middle);
      pen.stroke();
    }
    this.lens.classList.toggle("right", x < 0.5);
    this.lens.hidden = false;
  }

  type(event) {
    const move = KEYS[event.key];
    if (!move && event.key !== "Enter") return;
    event.preventDefault();
    const step = event.shiftKey ? KEY_STEP / 5 : KEY_STEP;
    if (move) this.aim(this.point.map((share, axis) => within(share + move[axis] * step)));
    else this.take(this.point);
  }

  async take(place) {
    this.places.push(place);
    this.show();
    if (this.asked) return;
    this.isBusy = true;
    this.changed();
    const touches = Object.fromEntries(this.holes.map((hole, number) => [hole, this.places[number]]));
    const answer = await postSlow("camera/touch", { touches });
    this.isBusy = false;
    this.answer = { ok: answer.ok, message: answer.data?.message };
    this.stop();
  }

  /** What the words depend on. */
  key() {
    return [this.isOn, this.places.length, this.isBusy, this.answer];
  }

  words() {
    if (this.isBusy) return [h("p", { role: "status" }, t("corner-search"))];
    if (this.asked) {
      return [
        h(
          "p",
          { class: "correct-say", role: "status", testid: "corner-say" },
          t("corner-touch", { n: this.places.length + 1, all: this.holes.length }),
        ),
        this.places.length > 0 &&
          h(
            "button",
            { type: "button", class: "quiet", testid: "corner-back", onclick: () => this.back() },
            t("corner-back"),
          ),
        h(
          "button",
          { type: "button", class: "quiet", testid: "corner-stop", onclick: () => this.stop() },
          t("corner-stop"),
        ),
      ];
    }
    const told =
      this.answer && (this.answer.ok ? t("corner-found") : say(this.answer.message) || t("connection.lost"));
    return [
      told &&
        h("p", { class: this.answer.ok ? "good" : "bad", role: "status", testid: "corner-answer" }, told),
      h("p", { class: "hint-line" }, t("corner-why")),
      h(
        "button",
        { type: "button", class: "wide", testid: "corner-start", onclick: () => this.start() },
        t("corner-start"),
      ),
    ];
  }
}
