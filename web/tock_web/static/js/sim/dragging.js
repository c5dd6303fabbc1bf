// A finger or the mouse over the simulated table: it drags a pawn, from the board or from the tray, or the hand.

import { isBeside } from "./tray.js";

/** @import { Point, ScenePawn, ScenePlace } from "#types" */
/** @import { SimTable } from "./table.js" */
/**
 * The thing being dragged: a pawn or the hand.
 *
 * @typedef {{ pawn: ScenePawn, shape: SVGElement, begin: Point | null }
 *   | { pawn: null, dx: number, dy: number }} Drag
 */

/** A finger that moves less than this taps. */
const TAP_PX = 8;

export class Dragging {
  /** @param {SimTable} table */
  constructor(table) {
    this.table = table;
    /** @type {Drag | null} */
    this.drag = null;
    this.wasDragged = false;
    const { svg } = table.board;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    this.follow(svg);
    this.follow(table.tray.root);
  }

  /** @param {GlobalEventHandlers} from where the finger came down */
  follow(from) {
    from.addEventListener("pointermove", (event) => this.move(event));
    from.addEventListener("pointerup", (event) => this.up(event));
    from.addEventListener("pointercancel", () => this.cancel());
  }

  /** A pawn in the tray follows a finger that moves. @type {(event: PointerEvent, id: string) => void} */
  pressInTray(event, id) {
    const pawn = this.table.scene.state?.pawns.find((entry) => entry.id === id);
    if (event.button !== 0 || this.drag || !pawn) return;
    const shape = this.table.pawn(pawn, 0, 0);
    if (!shape || !(event.target instanceof Element)) return;
    this.wasDragged = false;
    this.drag = { pawn, shape, begin: { x: event.clientX, y: event.clientY } };
    event.target.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0 || this.drag) return;
    const point = this.table.board.pointOf(event);
    const near = this.table.lifted && this.table.holeNear(point);
    if (near) {
      this.table.putDown(near.hole);
      return;
    }
    if (this.table.lifted) this.table.lift(null, null);
    const hand = this.table.scene.state?.hand;
    const isHand = event.target instanceof Element && event.target.closest(".hand-over");
    this.drag = isHand && hand ? this.dragHand(hand, point) : this.dragPawn(point);
    if (!this.drag) return;
    event.preventDefault();
    this.table.board.svg.setPointerCapture(event.pointerId);
    this.move(event);
  }

  /** @type {(hand: ScenePlace, point: Point) => Drag} */
  dragHand(hand, point) {
    const tip = this.table.screenOf(hand);
    return { pawn: null, dx: tip.x - point.x, dy: tip.y - point.y };
  }

  /** @type {(point: Point) => Drag | null} */
  dragPawn(point) {
    const pawn = this.table.pawnAt(point);
    const shape = pawn && this.table.board.layers.pawns.querySelector(`[data-pawn-id="${pawn.id}"]`);
    if (!pawn || !(shape instanceof SVGElement)) return null;
    this.hold(shape);
    return { pawn, shape, begin: null };
  }

  /** Draw a pawn in the hand, on top of the others, also past the board's edge. @param {SVGElement} shape */
  hold(shape) {
    shape.classList.add("held");
    this.table.board.layers.pawns.append(shape);
    this.table.board.svg.classList.add("dragging");
  }

  /**
   * Whether a finger on a pawn of the tray has hardly moved.
   * @type {(event: PointerEvent, drag: Drag) => boolean}
   */
  isTap(event, drag) {
    if (!drag.pawn || !drag.begin) return false;
    return Math.hypot(event.clientX - drag.begin.x, event.clientY - drag.begin.y) < TAP_PX;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (!drag) return;
    const point = this.table.board.pointOf(event);
    if (!drag.pawn) {
      const place = this.table.board.layout.toBoard({ x: point.x + drag.dx, y: point.y + drag.dy });
      this.table.showHand({ x_mm: place.x, y_mm: place.y });
      this.table.scene.moveHand(place);
      return;
    }
    if (drag.begin) {
      if (this.isTap(event, drag)) return;
      drag.begin = null;
      this.wasDragged = true;
      this.hold(drag.shape);
    }
    drag.shape.setAttribute("transform", `translate(${point.x} ${point.y})`);
    this.table.showDrop(this.table.holeNear(point));
    this.table.tray.aim(isBeside(this.table.board.layout.box, point));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { drag } = this;
    if (!drag) return;
    this.letGo();
    if (!drag.pawn || drag.begin) return;
    const point = this.table.board.pointOf(event);
    const isAside = isBeside(this.table.board.layout.box, point);
    const place = this.table.holeNear(point)?.hole ?? this.table.board.layout.toBoard(point);
    this.table.lay(drag.pawn, isAside ? null : place);
  }

  letGo() {
    this.drag = null;
    this.table.board.put("targets");
    this.table.board.svg.classList.remove("dragging");
    this.table.tray.aim(false);
  }

  cancel() {
    this.letGo();
    if (this.table.scene.state) this.table.show(this.table.scene.state);
  }
}
