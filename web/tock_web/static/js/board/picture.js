// A picture of the drawn board, to keep or send: styles are written into a copy, which becomes a PNG.

import { s } from "../core/dom.js";

const WIDTH_PX = 1400;
const MARGIN_PX = 40;
/** The style sheets' properties for parts of the board. */
const STYLES = /** @type {const} */ ([
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "opacity",
  "stop-color",
  "stop-opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "visibility",
  "display",
]);

/** @param {SVGSVGElement} svg @param {string} paper colour around the board @returns {Promise<Blob>} */
export async function pictureOf(svg, paper) {
  const { width, height } = svg.viewBox.baseVal;
  const [wide, high] = [WIDTH_PX, Math.round((WIDTH_PX * height) / width)];
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const parts = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((part, index) => dress(part, getComputedStyle(parts[index])));
  copy.prepend(s("defs", shades()));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(wide));
  copy.setAttribute("height", String(high));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide + 2 * MARGIN_PX, high + 2 * MARGIN_PX];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser draws no pictures");
  pen.fillStyle = paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, MARGIN_PX, MARGIN_PX, wide, high);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/** The shades of wood and pawns, which all boards of the document share. */
function shades() {
  return [...document.querySelectorAll(".symbols :is(linearGradient, radialGradient)")].map((shade) => {
    const copy = /** @type {Element} */ (shade.cloneNode(true));
    const stops = [...shade.children];
    [...copy.children].forEach((stop, index) => dress(stop, getComputedStyle(stops[index])));
    return copy;
  });
}

/**
 * Write the style sheets' values into the element itself: a picture has no style sheets.
 * @type {(part: Element, style: CSSStyleDeclaration) => void}
 */
function dress(part, style) {
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value) part.setAttribute(name, value);
  }
}
