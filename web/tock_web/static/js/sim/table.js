// The simulated table under the fingers: pawns are taken and put down wherever one likes.

import { s } from "../core/dom.js";
import { t } from "../core/words.js";
import { pawnShape } from "../board/shapes.js";

const TAKE_PITCHES = 0.75;
const SNAP_PITCHES = 0.45;
const FINGER_PX = 22;
const HAND_PITCHES = 2.2;

export class SimTable {
  /** Let a board show a scene and change it by dragging; every page position is a place in millimetres. */
  constructor(board, scene) {
    this.board = board;
    this.scene = scene;
    this.drag = null;
    /** The pawn that the keyboard has taken up. */
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

  /** Draw where everything stands now, unless somebody holds a pawn. */
  show(state) {
    if (this.drag) return;
    const holes = {};
    const count = {};
    const shapes = state.pawns.map((pawn) => {
      if (pawn.hole) {
        holes[pawn.hole] = pawn.seat;
        count[pawn.hole] = (count[pawn.hole] ?? 0) + 1;
      }
      // A pawn on top of another one is drawn a little aside, so that both are seen.
      const lift = pawn.hole ? (count[pawn.hole] - 1) * this.board.radius * 0.5 : 0;
      const { x, y } = this.board.layout.toScreen({ x: pawn.x_mm, y: pawn.y_mm });
      return this.pawn(pawn, x + lift, y - lift);
    });
    this.board.markPawns(holes);
    this.board.put("pawns", shapes);
    this.offerKeys(holes);
    this.showHand(state.hand);
  }

  /** With the keyboard: a hole with a pawn takes it up, the next hole puts it down. */
  offerKeys(holes) {
    const color = (seat) => t(`color.${this.board.looks.get(seat).color}`);
    this.board.offerKeys(
      (id) => Boolean(this.lifted || holes[id]),
      (id) =>
        holes[id] ? t("sim-hole-pawn", { hole: id, color: color(holes[id]) }) : t("sim-hole", { hole: id }),
    );
  }

  key(event) {
    const id = event.target.dataset?.hole;
    if (!id || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    const place = this.board.layout.at(id);
    if (!this.lifted) {
      this.lifted = this.scene.state.pawns.find((pawn) => pawn.hole === id) ?? null;
      const ring =
        this.lifted &&
        s("circle", { class: "drop", cx: place.x, cy: place.y, r: this.board.layout.pitch * 0.5 });
      this.board.put("targets", ring);
      this.show(this.scene.state);
      return;
    }
    const pawn = this.lifted;
    this.lifted = null;
    this.board.put("targets");
    this.scene.movePawn(pawn.id, { x: place.hole.x, y: place.hole.y });
  }

  pawn(pawn, x, y) {
    const shape = pawnShape(this.board.looks.get(pawn.seat), x, y, this.board.radius);
    shape.dataset.pawnId = pawn.id;
    return shape;
  }

  showHand(hand) {
    if (!hand) {
      this.handLayer.replaceChildren();
      return;
    }
    const { x, y } = this.board.layout.toScreen({ x: hand.x_mm, y: hand.y_mm });
    const unit = this.board.layout.pitch * HAND_PITCHES;
    const fingers = [-0.75, -0.25, 0.25, 0.72].map((side, index) =>
      s("path", {
        class: "finger",
        d: `M${side * unit * 0.6} ${unit * 1.2}V${unit * [0.18, 0, 0.06, 0.28][index]}`,
        "stroke-width": unit * 0.27,
      }),
    );
    const palm = s("path", {
      class: "palm",
      d: `M${-unit * 0.55} ${unit * 1.1}h${unit * 1.1}q${unit * 0.1} ${unit * 0.9} ${-unit * 0.15} ${unit * 1.3}v${unit * 2}h${-unit * 0.8}v${-unit * 2}q${-unit * 0.35} ${-unit * 0.4} ${-unit * 0.15} ${-unit * 1.3}z`,
    });
    const thumb = s("path", {
      class: "finger",
      d: `M${-unit * 0.45} ${unit * 1.75}L${-unit * 0.95} ${unit * 1.05}`,
      "stroke-width": unit * 0.27,
    });
    this.handLayer.replaceChildren(
      s("g", { class: "hand-over", transform: `translate(${x} ${y})` }, thumb, fingers, palm),
    );
  }

  /** Return the pawn to take: the nearest, and of two in one hole the one that was there first. */
  pawnAt(point) {
    const reach = Math.max(this.board.layout.pitch * TAKE_PITCHES, FINGER_PX * this.board.unitsPerPixel());
    let best = null;
    for (const pawn of this.scene.state?.pawns ?? []) {
      const { x, y } = this.board.layout.toScreen({ x: pawn.x_mm, y: pawn.y_mm });
      const distance = Math.hypot(x - point.x, y - point.y);
      if (distance <= reach && (!best || distance < best.distance - 1e-6)) best = { pawn, distance };
    }
    return best?.pawn ?? null;
  }

  down(event) {
    if (event.button !== 0 || this.drag) return;
    const point = this.board.pointOf(event);
    if (event.target.closest?.(".hand-over")) {
      const { x_mm: x, y_mm: y } = this.scene.state.hand;
      const tip = this.board.layout.toScreen({ x, y });
      this.drag = { hand: true, dx: tip.x - point.x, dy: tip.y - point.y };
    } else {
      const pawn = this.pawnAt(point);
      if (!pawn) return;
      const shape = this.board.layers.pawns.querySelector(`[data-pawn-id="${pawn.id}"]`);
      shape.classList.add("held");
      shape.parentNode.append(shape);
      this.drag = { pawn, shape };
    }
    event.preventDefault();
    this.board.svg.setPointerCapture(event.pointerId);
    this.move(event);
  }

  move(event) {
    if (!this.drag) return;
    const point = this.board.pointOf(event);
    if (this.drag.hand) {
      const place = this.board.layout.toBoard({ x: point.x + this.drag.dx, y: point.y + this.drag.dy });
      this.showHand({ x_mm: place.x, y_mm: place.y });
      this.scene.moveHand(place);
      return;
    }
    this.drag.shape.setAttribute("transform", `translate(${point.x} ${point.y})`);
    const hole = this.holeNear(point);
    this.board.put(
      "targets",
      hole && s("circle", { class: "drop", cx: hole.x, cy: hole.y, r: this.board.layout.pitch * 0.5 }),
    );
  }

  up(event) {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    if (drag.hand) return;
    this.board.put("targets");
    const point = this.board.pointOf(event);
    const hole = this.holeNear(point);
    const place = hole ? { x: hole.hole.x, y: hole.hole.y } : this.board.layout.toBoard(point);
    this.scene.movePawn(drag.pawn.id, place);
  }

  cancel() {
    this.drag = null;
    this.board.put("targets");
    if (this.scene.state) this.show(this.scene.state);
  }

  holeNear(point) {
    const { place, distance } = this.board.layout.nearest(point);
    return distance <= this.board.layout.pitch * SNAP_PITCHES ? place : null;
  }
}
