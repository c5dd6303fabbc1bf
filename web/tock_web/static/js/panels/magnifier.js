// A magnifier over a picture: it shows the part under the finger, with a cross at the very place.

import { h } from "../core/dom.js";

const ENLARGED = 3;
const LENS_PX = 150;

/** A share of a side that lies in the picture. @param {number} share */
export const within = (share) => Math.min(1, Math.max(0, share));

export class Magnifier {
  /** @param {HTMLImageElement} image */
  constructor(image) {
    this.image = image;
    this.canvas = h("canvas.lens", { width: LENS_PX, height: LENS_PX, hidden: true });
  }

  hide() {
    this.canvas.hidden = true;
  }

  /**
   * The place of the finger, in shares of the picture's width and height.
   * @type {(event: PointerEvent) => [x: number, y: number]}
   */
  placeOf(event) {
    const { left, top, width, height } = this.image.getBoundingClientRect();
    return [within((event.clientX - left) / width), within((event.clientY - top) / height)];
  }

  /**
   * Magnify the surroundings of a place, on the side where no finger is.
   *
   * @param {[x: number, y: number]} place in shares of the picture's width and height
   */
  aim([x, y]) {
    const { naturalWidth, naturalHeight, clientWidth } = this.image;
    const side = ((LENS_PX / ENLARGED) * naturalWidth) / (clientWidth || 1);
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    const [left, top] = [x * naturalWidth - side / 2, y * naturalHeight - side / 2];
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, LENS_PX, LENS_PX);
    pen.drawImage(this.image, left, top, side, side, 0, 0, LENS_PX, LENS_PX);
    drawCross(pen, "#000", 4);
    drawCross(pen, "#fff", 2);
    this.canvas.classList.toggle("right", x < 0.5);
    this.canvas.hidden = false;
  }
}

/**
 * A cross through the middle of the lens.
 * @type {(pen: CanvasRenderingContext2D, color: string, widthPx: number) => void}
 */
function drawCross(pen, color, widthPx) {
  const middle = LENS_PX / 2;
  pen.strokeStyle = color;
  pen.lineWidth = widthPx;
  pen.beginPath();
  pen.moveTo(middle, 0);
  pen.lineTo(middle, LENS_PX);
  pen.moveTo(0, middle);
  pen.lineTo(LENS_PX, middle);
  pen.stroke();
}
