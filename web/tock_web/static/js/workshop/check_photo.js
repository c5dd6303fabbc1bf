// The photo of the check: the board with all pawns in their camps, and a ring for each that is seen or missed.

import { h, s } from "../core/dom.js";
import { t } from "../core/words.js";
import { boxAround } from "./holes.js";
import { Cropped } from "./cropped_photo.js";

/** @import { PawnsChecked } from "#types" */
/** @import { MakerState } from "./state.js" */

/** Radius of a ring, in widths of the part that is shown. */
const RADIUS = 0.018;
/** Camps lie in from the edge of a board. */
const MARGIN = 0.28;

export class CheckedPhoto {
  constructor() {
    this.photo = new Cropped("maker-checked-photo", "maker-camps");
    this.root = h("div.made-photo", this.photo.window);
  }

  /** @param {MakerState} state */
  draw({ step, made, checks }) {
    const checked = step === "check" ? made?.checked : null;
    this.root.hidden = !checked;
    if (!checked) return;
    const places = checked.camps.map(({ place }) => place);
    const box = boxAround(places, MARGIN);
    this.photo.load(`/api/v1/board-maker/checked-picture?n=${checks}`);
    this.photo.image.alt = t("maker.checked-alt");
    this.photo.fit(checked.photo, box, 1, null);
    this.photo.svg.replaceChildren(...rings(checked, RADIUS * box[2]));
  }
}

/** @param {PawnsChecked} checked @param {number} radius in widths of the photo */
function rings({ camps, photo: { width, height } }, radius) {
  return camps.map(({ id, place: [x, y], seen }) => {
    const ring = { cx: x * width, cy: y * height, r: radius * width, "stroke-width": radius * width * 0.3 };
    const missed = {
      x: x * width,
      y: y * height,
      "font-size": radius * width * 1.8,
      "text-anchor": "middle",
    };
    return s(
      "g",
      { class: seen ? "made-hole seen" : "made-hole missed", testid: `camp-${id}` },
      s("circle.casing", { ...ring, "stroke-width": radius * width * 0.55 }),
      s("circle", ring),
      !seen && s("text", { ...missed, dy: "0.35em" }, "?"),
    );
  });
}
