// The tray at the edge of the simulated board: a pawn that was dropped off the board waits here and can be taken again.

import { pawnIcon } from "../board/shapes.js";
import { h } from "../core/dom.js";
import { t } from "../core/words.js";
import { colorName } from "../panels/seats.js";

/** @import { Box, SeatStyles, Point, ScenePawn } from "#types" */

/**
 * Whether a place of the drawing is off the part of the board that is drawn.
 * @type {(box: Box, place: Point) => boolean}
 */
export function isBeside({ left, top, width, height }, { x, y }) {
  return x < left || y < top || x > left + width || y > top + height;
}

export class Tray {
  constructor(/** @type {HTMLElement} */ root, /** @type {SeatStyles} */ styles) {
    this.root = root;
    this.styles = styles;
    /** @type {Map<string, HTMLElement>} */
    this.pawns = new Map();
    this.empty = h("span.hint-line");
    this.place = h("button.tile.small", { type: "button", testid: "sim-set-aside" });
    root.replaceChildren(this.empty, this.place);
  }

  /**
   * Call back with what people do here: a press on a pawn, a tap or Enter on one, a pawn from the board put here.
   *
   * @param {object} on
   * @param {(event: PointerEvent, id: string) => void} on.press
   * @param {(event: MouseEvent, id: string) => void} on.pick
   * @param {() => void} on.place
   */
  listen({ press, pick, place }) {
    this.root.addEventListener("pointerdown", (event) => this.withPawn(event, press));
    this.root.addEventListener("click", (event) => this.withPawn(event, pick));
    this.place.addEventListener("click", place);
  }

  /**
   * @template {Event} E
   * @param {E} event
   * @param {(event: E, id: string) => void} then
   */
  withPawn(event, then) {
    const pawn = event.target instanceof Element && event.target.closest("[data-pawn-id]");
    const id = pawn && pawn.getAttribute("data-pawn-id");
    if (id) then(event, id);
  }

  /**
   * Show the pawns beside the board in the order of their colours; those that stay keep the keyboard's focus.
   * @type {(pawns: ScenePawn[], lifted: ScenePawn | null) => void}
   */
  show(pawns, lifted) {
    const sorted = [...pawns].sort((a, b) => a.id.localeCompare(b.id));
    const ids = new Set(sorted.map(({ id }) => id));
    for (const [id, node] of this.pawns) {
      if (!ids.has(id)) {
        node.remove();
        this.pawns.delete(id);
      }
    }
    for (const [index, pawn] of sorted.entries()) this.showPawn(pawn, index, lifted?.id === pawn.id);
    this.root.setAttribute("aria-label", t("sim-tray"));
    this.empty.textContent = t("sim-tray-empty");
    this.empty.hidden = sorted.length > 0;
    this.place.textContent = t("sim-set-aside");
    this.place.hidden = !lifted || ids.has(lifted.id);
  }

  /** @type {(pawn: ScenePawn, index: number, isLifted: boolean) => void} */
  showPawn({ id, seat }, index, isLifted) {
    const node = this.pawns.get(id) ?? this.newPawn(id, seat);
    node.setAttribute("aria-label", t("sim-tray-pawn", { color: colorName(seat, this.styles) }));
    node.setAttribute("aria-pressed", String(isLifted));
    const there = this.root.children[index];
    if (there !== node) this.root.insertBefore(node, there);
  }

  /** @type {(id: string, seat: string) => HTMLButtonElement} */
  newPawn(id, seat) {
    const node = h(
      "button.tray-pawn",
      { type: "button", "data-pawn-id": id },
      pawnIcon(this.styles.get(seat)),
    );
    this.pawns.set(id, node);
    return node;
  }

  /** @param {boolean} isAimedAt a pawn that is let go now would lie here */
  aim(isAimedAt) {
    this.root.classList.toggle("aimed-at", isAimedAt);
  }
}
