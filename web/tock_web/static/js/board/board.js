// The board on a page, in layers from the wood up to the hit areas.

import { s } from "../core/dom.js";
import { present } from "../core/store.js";
import { onLanguage, t } from "../core/words.js";
import { Layout } from "./layout.js";
import { Pawns, radiusOn } from "./pawns.js";
import { drawNumbers, drawWood } from "./wood.js";

/** @import { Arrow, BoardFile, Box, Children, HoleId, SeatStyles, Place, Point, Standing } from "#types" */
/** @typedef {(typeof LAYERS)[number]} Layer */

const NEAR_SHARE = 0.6;
/** In smaller holes numbers could not be read. */
const NUMBERED_PITCH_PX = 20;
const LAYERS = /** @type {const} */ ([
  "wood",
  "holes",
  "numbers",
  "last",
  "pawns",
  "tray",
  "seen",
  "path",
  "targets",
  "tags",
  "repair",
  "asked",
  "hits",
]);

export class Board {
  /**
   * Draw a board file into `root`.
   *
   * @param {HTMLElement} root
   * @param {BoardFile} boardFile
   * @param {SeatStyles} styles
   * @param {object} [options]
   * @param {number} [options.angle] in degrees
   * @param {((point: Point) => void) | null} [options.onTap] told of taps
   * @param {boolean} [options.isNamed] only one board of a page is named for tests and scripts
   */
  constructor(root, boardFile, styles, { angle = 0, onTap = null, isNamed = true } = {}) {
    this.boardFile = boardFile;
    this.styles = styles;
    this.isZoomed = false;
    this.isNamed = isNamed;
    const testid = isNamed ? "board" : null;
    this.svg = s("svg.board", { testid, role: "img", "aria-label": t("board") });
    const layers = LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]);
    /** @type {Record<Layer, SVGGElement>} */
    this.layers = Object.fromEntries(layers);
    this.svg.append(...Object.values(this.layers));
    root.replaceChildren(this.svg);
    onLanguage(() => this.svg.setAttribute("aria-label", t("board")));
    if (onTap) this.svg.addEventListener("click", (event) => onTap(this.pointOf(event)));
    this.layout = new Layout(boardFile, angle);
    /** @type {Map<HoleId, SVGCircleElement>} */
    this.hits = new Map();
    /** @type {Standing} */
    this.standing = {};
    this.pawns = new Pawns(this.layers.pawns, this.layout, styles);
    /** CSS pixels per millimetre of the drawing, as last shown. */
    this.scale = 1;
    /** @type {Set<HoleId>} */
    this.aimedAt = new Set();
    this.drawBare();
    new ResizeObserver(() => this.measure()).observe(this.svg);
  }

  /** The radius of a pawn in millimetres. */
  get radius() {
    return radiusOn(this.layout);
  }

  /** Turn the board; everything on it must be drawn again. @param {number} angle in degrees */
  turn(angle) {
    this.layout = new Layout(this.boardFile, angle);
    this.drawBare();
  }

  drawBare() {
    this.showPart();
    const [wood, holes] = drawWood(this.layout, this.styles);
    this.put("wood", wood);
    this.put("holes", holes);
    this.number();
    this.hits = new Map([...this.layout.places].map(([id, place]) => [id, this.hitArea(place)]));
    this.put("hits", [...this.hits.values()]);
    this.standing = {};
    this.pawns = new Pawns(this.layers.pawns, this.layout, this.styles);
    this.aimedAt = new Set();
  }

  number() {
    const isLegible = this.layout.pitch * this.scale >= NUMBERED_PITCH_PX;
    this.put("numbers", isLegible ? drawNumbers(this.layout) : []);
  }

  /** Note how large the drawing is on the screen. */
  measure() {
    const scale = this.svg.getScreenCTM()?.a;
    if (!scale || scale === this.scale) return;
    this.scale = scale;
    this.number();
  }

  /** Show the whole board, or enlarge the part nearest to the player. @param {boolean} isZoomed */
  zoom(isZoomed) {
    this.isZoomed = isZoomed;
    this.showPart();
    this.measure();
  }

  showPart() {
    const { left, top, width, height } = this.layout.box;
    const share = this.isZoomed ? NEAR_SHARE : 1;
    this.show({
      left: left + (width * (1 - share)) / 2,
      top: top + height * (1 - share),
      width: width * share,
      height: height * share,
    });
  }

  /** @param {Box} box the part of the drawing that is seen */
  show({ left, top, width, height }) {
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  }

  /** @param {Place} place */
  hitArea({ hole, x, y }) {
    return s("circle", {
      testid: this.isNamed ? `hole-${hole.id}` : null,
      "data-hole": hole.id,
      "data-pawn": "",
      cx: x.toFixed(2),
      cy: y.toFixed(2),
      r: (this.layout.pitch * 0.5).toFixed(2),
    });
  }

  /** The place of a pointer event, in drawing coordinates. @type {(event: MouseEvent) => Point} */
  pointOf(event) {
    const toDrawing = this.svg.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(toDrawing);
    return { x: point.x, y: point.y };
  }

  /** The size of a CSS pixel in drawing units. */
  unitsPerPixel() {
    return 1 / (this.svg.getScreenCTM()?.a || 1);
  }

  /** Mark each hit area with the seat whose pawn stands there. @param {Standing} holes */
  markPawns(holes) {
    for (const id of Object.keys({ ...this.standing, ...holes })) {
      if (holes[id] !== this.standing[id]) this.hits.get(id)?.setAttribute("data-pawn", holes[id] ?? "");
    }
    this.standing = { ...holes };
  }

  /**
   * Make holes reachable by keyboard.
   *
   * @param {(id: HoleId) => boolean} isWanted picks those at which the tab key stops
   * @param {(id: HoleId) => string} label names them
   */
  offerKeys(isWanted, label) {
    this.svg.setAttribute("role", "group");
    for (const [id, area] of this.hits) {
      area.setAttribute("role", "button");
      area.setAttribute("tabindex", isWanted(id) ? "0" : "-1");
      area.setAttribute("aria-label", label(id));
    }
  }

  /** Mark the hit areas of legal targets. @param {Set<HoleId>} ids */
  markTargets(ids) {
    for (const id of this.aimedAt) this.hits.get(id)?.removeAttribute("data-target");
    for (const id of ids) this.hits.get(id)?.setAttribute("data-target", "1");
    this.aimedAt = ids;
  }

  /**
   * Draw the pawns of the accepted position; those that stand elsewhere than before walk there.
   *
   * @param {Standing} holes
   * @param {Set<HoleId>} [faint] holes whose pawns are not seen where they should be
   * @param {readonly Arrow[]} [arrows] of the move that led here
   */
  drawPawns(holes, faint = new Set(), arrows = []) {
    this.pawns.show(holes, faint, arrows);
  }

  /** Replace the contents of a layer. @type {(layer: Layer, ...shapes: Children[]) => void} */
  put(layer, ...shapes) {
    this.layers[layer].replaceChildren(...present(shapes));
  }
}
