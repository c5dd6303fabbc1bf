// The simulated table under your fingers: pick pawns up and put them down anywhere.

import { pawnShape } from "../board/shapes.js";
import { s } from "../core/dom.js";
import { t } from "../core/words.js";
import { colorName } from "../panels/seats.js";
import { handShapes } from "./hand.js";
import { holeName } from "./names.js";

/** @import { Point, ScenePawn, ScenePlace, SceneInfo, Standing } from "#types" */
/** @import { Board } from "../board/board.js" */
/** @import { Scene } from "./scene.js" */
/**
 * What is being dragged: a pawn or the hand.
 *
 * @typedef {{ pawn: ScenePawn, shape: SVGElement } | { pawn: null, dx: number, dy: number }} Drag
 */

const TAKE_PITCHES = 0.75;
const SNAP_PITCHES = 0.45;
const FINGER_PX = 22;
const HAND_PITCHES = 2.2;
export class SimTable {
  /**
   * Show a scene on a board and change it by dragging.
   *
   * @param {Board} board
   * @param {Scene} scene
   */
  constructor(board, scene) {
    this.board = board;
    this.scene = scene;
    /** @type {Drag | null} */
    this.drag = null;
    /**
     * The pawn that the keyboard has taken up.
     *
     * @type {ScenePawn | null}
     */
    this.lifted = null;
    const { svg } = board;
    svg.classList.add("touchable");
    this.handLayer = s("g", { class: "layer-hand" });
    svg.append(this.handLayer);
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * Draw where everything stands now, unless somebody holds a pawn.
   *
   * @param {SceneInfo} state
   */
  show(state) {
    if (this.drag) return;
    /** @type {Standing} */
    const holes = {};
    /** @type {Record<string, number>} */
    const count = {};
    const shapes = state.pawns.map((pawn) => {
      if (pawn.hole) {
        holes[pawn.hole] = pawn.seat;
        count[pawn.hole] = (count[pawn.hole] ?? 0) + 1;
      }
      // Draw a pawn on top of another slightly aside, so that both show.
      const lift = pawn.hole ? (count[pawn.hole] - 1) * this.board.radius * 0.5 : 0;
      const { x, y } = this.screenOf(pawn);
      return this.pawn(pawn, x + lift, y - lift);
    });
    this.board.markPawns(holes);
    this.board.put("pawns", shapes);
    this.offerKeys(holes);
    this.showHand(state.hand);
  }

  /** @param {ScenePlace} place */
  screenOf({ x_mm: x, y_mm: y }) {
    return this.board.layout.toScreen({ x, y });
  }

  /**
   * By keyboard, a hole with a pawn picks it up and the next hole puts it down.
   *
   * @param {Standing} holes
   */
  offerKeys(holes) {
    const { layout, looks } = this.board;
    this.board.offerKeys(
      (id) => Boolean(this.lifted || holes[id]),
      (id) => {
        const place = layout.at(id);
        const hole = place ? holeName(place.hole, looks) : "";
        const seat = holes[id];
        return seat ? t("sim-hole-pawn", { hole, color: colorName(seat, looks) }) : t("sim-hole", { hole });
      },
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const id = event.target instanceof SVGElement ? event.target.dataset.hole : undefined;
    const { state } = this.scene;
    const place = id && this.board.layout.at(id);
    if (!place || !state || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    if (!this.lifted) {
      this.lifted = state.pawns.find((pawn) => pawn.hole === id) ?? null;
      this.showDrop(this.lifted ? place : null);
      this.show(state);
      return;
    }
    const pawn = this.lifted;
    this.lifted = null;
    this.showDrop(null);
    this.scene.movePawn(pawn.id, place.hole);
  }

  /**
   * Ring the hole that a pawn leaves or would land in.
   *
   * @param {Point | null} place
   */
  showDrop(place) {
    const r = this.board.layout.pitch * 0.5;
    this.board.put("targets", place && s("circle", { class: "drop", cx: place.x, cy: place.y, r }));
  }

  /**
   * @param {ScenePawn} pawn
   * @param {number} x
   * @param {number} y
   */
  pawn(pawn, x, y) {
    const look = this.board.looks.get(pawn.seat);
    const shape = look && pawnShape(look, x, y, this.board.radius);
    shape?.setAttribute("data-pawn-id", pawn.id);
    return shape;
  }

  /** @param {ScenePlace | null} hand */
  showHand(hand) {
    if (!hand) {
      this.handLayer.replaceChildren();
      return;
    }
    const { x, y } = this.screenOf(hand);
    const shapes = handShapes(this.board.layout.pitch * HAND_PITCHES);
    this.handLayer.replaceChildren(s("g", { class: "hand-over", transform: `translate(${x} ${y})` }, shapes));
  }

  /**
   * The pawn to pick up: the nearest, and of two in one hole the one that was there first.
   *
   * @param {Point} point
   */
  pawnAt(point) {
    const reach = Math.max(this.board.layout.pitch * TAKE_PITCHES, FINGER_PX * this.board.unitsPerPixel());
    /** @type {{ pawn: ScenePawn, distance: number } | null} */
    let best = null;
    for (const pawn of this.scene.state?.pawns ?? []) {
      const { x, y } = this.screenOf(pawn);
      const distance = Math.hypot(x - point.x, y - point.y);
      if (distance <= reach && (!best || distance < best.distance - 1e-6)) best = { pawn, distance };
    }
    return best?.pawn ?? null;
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0 || this.drag) return;
    const point = this.board.pointOf(event);
    const hand = this.scene.state?.hand;
    const isHand = event.target instanceof Element && event.target.closest(".hand-over");
    this.drag = isHand && hand ? this.dragHand(hand, point) : this.dragPawn(point);
    if (!this.drag) return;
    event.preventDefault();
    this.board.svg.setPointerCapture(event.pointerId);
    this.move(event);
  }

  /**
   * @param {ScenePlace} hand
   * @param {Point} point
   * @returns {Drag}
   */
  dragHand(hand, point) {
    const tip = this.screenOf(hand);
    return { pawn: null, dx: tip.x - point.x, dy: tip.y - point.y };
  }

  /**
   * @param {Point} point
   * @returns {Drag | null}
   */
  dragPawn(point) {
    const pawn = this.pawnAt(point);
    const shape = pawn && this.board.layers.pawns.querySelector(`[data-pawn-id="${pawn.id}"]`);
    if (!pawn || !(shape instanceof SVGElement)) return null;
    shape.classList.add("held");
    this.board.layers.pawns.append(shape);
    return { pawn, shape };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (!drag) return;
    const point = this.board.pointOf(event);
    if (!drag.pawn) {
      const place = this.board.layout.toBoard({ x: point.x + drag.dx, y: point.y + drag.dy });
      this.showHand({ x_mm: place.x, y_mm: place.y });
      this.scene.moveHand(place);
      return;
    }
    drag.shape.setAttribute("transform", `translate(${point.x} ${point.y})`);
    this.showDrop(this.holeNear(point));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag?.pawn) return;
    this.board.put("targets");
    const point = this.board.pointOf(event);
    const place = this.holeNear(point)?.hole ?? this.board.layout.toBoard(point);
    this.scene.movePawn(drag.pawn.id, place);
  }

  cancel() {
    this.drag = null;
    this.board.put("targets");
    if (this.scene.state) this.show(this.scene.state);
  }

  /** @param {Point} point */
  holeNear(point) {
    const { place, distance } = this.board.layout.nearest(point);
    return distance <= this.board.layout.pitch * SNAP_PITCHES ? place : null;
  }
}
