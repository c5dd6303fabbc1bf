// A photo cut to the board in it, which fills the width and can be enlarged around any place.

import { h, s } from "../core/dom.js";

/** @import { Box } from "./holes.js" */
/** @import { Share } from "./state.js" */

export class Cropped {
  /** @param {string} testid of the photo @param {string} drawing testid of the drawing over it */
  constructor(testid, drawing) {
    this.image = h("img", { alt: "", draggable: "false", testid });
    this.svg = s("svg.made-holes", { preserveAspectRatio: "none", testid: drawing });
    this.stage = h("div.made-stage", this.image, this.svg);
    this.cut = h("div.made-cut", this.stage);
    this.window = h("div.made-window", this.cut);
    /** @type {{ box: Box, zoom: number, aspect: number }} */
    this.shown = { box: [0, 0, 1, 1], zoom: 1, aspect: 1 };
  }

  /** @param {string} src */
  load(src) {
    if (this.image.getAttribute("src") !== src) this.image.src = src;
  }

  /**
   * @param {{ width: number, height: number }} size of the photo in pixels
   * @param {Box} box the part of it that is shown
   * @param {number} zoom
   * @param {Share | null} focus the place for the middle; null keeps the present one
   */
  fit({ width, height }, box, zoom, focus) {
    const [left, top, wide, high] = box;
    const aspect = (wide * width) / (high * height);
    const key = JSON.stringify([box, zoom, aspect, focus]);
    if (key === this.cut.dataset.key) return;
    const middle = focus ?? this.middle();
    this.cut.dataset.key = key;
    this.shown = { box, zoom, aspect };
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.window.style.aspectRatio = String(aspect);
    this.cut.style.width = `calc(${zoom} * min(100%, ${aspect} * var(--photo-height)))`;
    this.cut.style.aspectRatio = String(aspect);
    Object.assign(this.stage.style, {
      width: `${100 / wide}%`,
      aspectRatio: `${width} / ${height}`,
      left: `${(-100 * left) / wide}%`,
      top: `${(-100 * top) / high}%`,
    });
    const { clientWidth, clientHeight } = this.window;
    this.window.scrollLeft = ((middle[0] - left) / wide) * this.cut.clientWidth - clientWidth / 2;
    this.window.scrollTop = ((middle[1] - top) / high) * this.cut.clientHeight - clientHeight / 2;
  }

  /** The place of the photo in the middle of the visible part. @returns {Share} */
  middle() {
    const { box } = this.shown;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.window;
    const { clientWidth: wide, clientHeight: high } = this.cut;
    if (!wide || !high) return [box[0] + box[2] / 2, box[1] + box[3] / 2];
    return [
      box[0] + (box[2] * Math.min(wide, scrollLeft + Math.min(wide, clientWidth) / 2)) / wide,
      box[1] + (box[3] * Math.min(high, scrollTop + Math.min(high, clientHeight) / 2)) / high,
    ];
  }

  /** Pixels of the screen for one of the photo; 1 while it is not on the screen. */
  scale() {
    return this.image.clientWidth / this.svg.viewBox.baseVal.width || 1;
  }
}
