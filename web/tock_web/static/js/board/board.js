// The board of a page: layers from the wood up to the areas that take a finger.

import { s } from "../core/dom.js";
import { onLanguage, t } from "../core/words.js";
import { Layout } from "./layout.js";
import { drawNumbers, drawWood } from "./wood.js";
import { pawnShape } from "./shapes.js";

const PAWN = 0.44;
const NEAR_SHARE = 0.6;
/** Numbers at the holes are only legible, and only wanted, on a large screen. */
const LARGE = matchMedia("(min-width: 760px)");
const LAYERS = [
  "wood",
  "holes",
  "numbers",
  "last",
  "pawns",
  "seen",
  "path",
  "targets",
  "repair",
  "asked",
  "hits",
];

export class Board {
  /** Draw a board file into `root`; `looks` gives the seats' colours, `onTap(point, holeId)` is told of touches.
   * Only one board of a page is named for tests and scripts. */
  constructor(root, boardFile, looks, { angle = 0, onTap = null, isNamed = true } = {}) {
    this.boardFile = boardFile;
    this.looks = looks;
    this.isZoomed = false;
    this.isNamed = isNamed;
    this.svg = s("svg", {
      class: "board",
      testid: isNamed ? "board" : null,
      role: "img",
      "aria-label": t("board"),
    });
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.svg.append(...Object.values(this.layers));
    root.replaceChildren(this.svg);
    onLanguage(() => this.svg.setAttribute("aria-label", t("board")));
    if (onTap) {
      this.svg.addEventListener("click", (event) =>
        onTap(this.pointOf(event), event.target.dataset?.hole ?? null),
      );
    }
    this.turn(angle);
    LARGE.addEventListener("change", () => this.number());
  }

  /** Turn the board; everything that was drawn must be drawn again. */
  turn(angle) {
    this.layout = new Layout(this.boardFile, angle);
    this.radius = this.layout.pitch * PAWN;
    this.zoom(this.isZoomed);
    const [wood, holes] = drawWood(this.layout, this.looks);
    this.layers.wood.replaceChildren(...wood);
    this.layers.holes.replaceChildren(...holes);
    this.number();
    this.hits = new Map(
      [...this.layout.places.values()].map((place) => [place.hole.id, this.hitArea(place)]),
    );
    this.layers.hits.replaceChildren(...this.hits.values());
    this.standing = {};
    this.drawnPawns = null;
    this.aimedAt = new Set();
  }

  number() {
    this.put("numbers", LARGE.matches ? drawNumbers(this.layout) : []);
  }

  /** Show the whole board, or the part that lies nearest, larger. */
  zoom(isZoomed) {
    this.isZoomed = isZoomed;
    const { left, top, width, height } = this.layout.box;
    const share = isZoomed ? NEAR_SHARE : 1;
    const x = left + (width * (1 - share)) / 2;
    this.svg.setAttribute("viewBox", `${x} ${top + height * (1 - share)} ${width * share} ${height * share}`);
  }

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

  /** Return where a pointer event is, in drawing coordinates. */
  pointOf(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.svg.getScreenCTM().inverse(),
    );
    return { x: point.x, y: point.y };
  }

  /** Return how many drawing units a CSS pixel is. */
  unitsPerPixel() {
    return 1 / (this.svg.getScreenCTM()?.a || 1);
  }

  /** Say in the hit areas who stands where: hole id → seat. */
  markPawns(holes) {
    for (const id of Object.keys({ ...this.standing, ...holes })) {
      if (holes[id] !== this.standing[id] && this.hits.has(id))
        this.hits.get(id).dataset.pawn = holes[id] ?? "";
    }
    this.standing = { ...holes };
  }

  /** Let the keyboard reach holes: `isWanted(id)` picks those at which the tab key stops, `label(id)` names them. */
  offerKeys(isWanted, label) {
    this.svg.setAttribute("role", "group");
    for (const [id, area] of this.hits) {
      area.setAttribute("role", "button");
      area.setAttribute("tabindex", isWanted(id) ? "0" : "-1");
      area.setAttribute("aria-label", label(id));
    }
  }

  /** Say in the hit areas which holes are legal targets. */
  markTargets(ids) {
    for (const id of this.aimedAt) delete this.hits.get(id)?.dataset.target;
    for (const id of ids) this.hits.get(id)?.setAttribute("data-target", "1");
    this.aimedAt = ids;
  }

  /** Draw the pawns of the accepted position; those in `faint` are not seen where they should be. */
  drawPawns(holes, faint = new Set()) {
    const drawn = JSON.stringify([holes, [...faint]]);
    if (drawn === this.drawnPawns) return;
    this.drawnPawns = drawn;
    const pawns = Object.entries(holes)
      .filter(([id]) => this.layout.at(id))
      .map(([id, seat]) => {
        const { x, y } = this.layout.at(id);
        return pawnShape(this.looks.get(seat), x, y, this.radius, faint.has(id) ? "pawn faint" : "pawn");
      });
    this.put("pawns", pawns);
  }

  /** Put drawn things into a layer, in place of what was there. */
  put(layer, ...shapes) {
    this.layers[layer].replaceChildren(...shapes.flat().filter(Boolean));
  }
}
