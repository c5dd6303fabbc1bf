// The simulated table under your fingers: pick pawns up and put them down anywhere.

import { pawnShape } from "../board/shapes.js";
import { s } from "../core/dom.js";
import { t } from "../core/words.js";
import { colorName } from "../panels/seats.js";
import { Dragging } from "./dragging.js";
import { isBeside } from "./tray.js";

/** @import { Hole, Point, ScenePawn, ScenePlace, SceneInfo, SeatStyles, Standing } from "#types" */
/** @import { Board } from "../board/board.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Tray } from "./tray.js" */

const TAKE_PITCHES = 0.75;
const SNAP_PITCHES = 0.45;
const FINGER_PX = 22;
const HAND_PITCHES = 2.2;

export class SimTable {
  /** Show a scene on a board and change it by dragging. */
  constructor(/** @type {Board} */ board, /** @type {Scene} */ scene, /** @type {Tray} */ tray) {
    this.board = board;
    this.scene = scene;
    this.tray = tray;
    /** The pawn that the keyboard, or a tap on the tray, has taken up. @type {ScenePawn | null} */
    this.lifted = null;
    const { svg } = board;
    svg.classList.add("touchable");
    this.handLayer = s("g.layer-hand");
    svg.append(this.handLayer);
    this.dragging = new Dragging(this);
    tray.listen({
      press: (event, id) => this.dragging.pressInTray(event, id),
      pick: (event, id) => this.pickInTray(event, id),
      place: () => this.putDown(null),
    });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** Draw where everything stands now, unless somebody holds a pawn. @param {SceneInfo} state */
  show(state) {
    if (this.dragging.drag) return;
    /** @type {Standing} */
    const holes = {};
    /** @type {Record<string, number>} */
    const count = {};
    const aside = state.pawns.filter((pawn) => this.isAside(pawn));
    const shapes = state.pawns
      .filter((pawn) => !aside.includes(pawn))
      .map((pawn) => {
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
    this.tray.show(aside, this.lifted);
    this.offerKeys(holes);
    this.showHand(state.hand);
  }

  /** @param {ScenePlace} pawn */
  isAside(pawn) {
    return isBeside(this.board.layout.box, this.screenOf(pawn));
  }

  /** @param {ScenePlace} place */
  screenOf({ x_mm: x, y_mm: y }) {
    return this.board.layout.toScreen({ x, y });
  }

  /** By keyboard, a hole with a pawn picks it up and the next hole puts it down. @param {Standing} holes */
  offerKeys(holes) {
    const { layout, styles } = this.board;
    this.board.offerKeys(
      (id) => Boolean(this.lifted || holes[id]),
      (id) => {
        const place = layout.at(id);
        const hole = place ? holeName(place.hole, styles, layout.zone) : "";
        const seat = holes[id];
        return seat ? t("sim-hole-pawn", { hole, color: colorName(seat, styles) }) : t("sim-hole", { hole });
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
    if (this.lifted) this.putDown(place.hole);
    else this.lift(state.pawns.find((pawn) => pawn.hole === id) ?? null, place);
  }

  /** @param {ScenePawn | null} pawn @param {Point | null} place of the hole that it leaves */
  lift(pawn, place) {
    this.lifted = pawn;
    this.showDrop(pawn && place);
    if (this.scene.state) this.show(this.scene.state);
  }

  /** @param {Point | null} place on the board file; null is the tray */
  putDown(place) {
    const pawn = this.lifted;
    this.lift(null, null);
    if (pawn) this.lay(pawn, place);
  }

  /** @param {ScenePawn} pawn @param {Point | null} place on the board file; null is the tray */
  lay(pawn, place) {
    if (place) this.scene.movePawn(pawn.id, place);
    else this.scene.setAside(pawn.id);
  }

  putBack() {
    this.lift(null, null);
    this.scene.putBack();
  }

  /**
   * A tap or Enter on a pawn in the tray takes it up; the next hole puts it down.
   * @type {(event: MouseEvent, id: string) => void}
   */
  pickInTray(event, id) {
    // A drag ends with a click as well, which only the mouse and fingers count.
    if (event.detail > 0 && this.dragging.wasDragged) return;
    const pawn = this.scene.state?.pawns.find((entry) => entry.id === id);
    this.lift(pawn && this.lifted?.id !== id ? pawn : null, null);
  }

  /** Ring the hole that a pawn leaves or would land in. @param {Point | null} place */
  showDrop(place) {
    const r = this.board.layout.pitch * 0.5;
    this.board.put("targets", place && s("circle.drop", { cx: place.x, cy: place.y, r }));
  }

  /** @type {(pawn: ScenePawn, x: number, y: number) => SVGGElement | undefined} */
  pawn(pawn, x, y) {
    const style = this.board.styles.get(pawn.seat);
    const shape = style && pawnShape(style, x, y, this.board.radius);
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
    this.handLayer.replaceChildren(s("g.hand-over", { transform: `translate(${x} ${y})` }, shapes));
  }

  /** The pawn to pick up: the nearest, and of two in one hole the one that was there first. */
  pawnAt(/** @type {Point} */ point) {
    const reach = Math.max(this.board.layout.pitch * TAKE_PITCHES, FINGER_PX * this.board.unitsPerPixel());
    /** @type {{ pawn: ScenePawn, distance: number } | null} */
    let best = null;
    for (const pawn of this.scene.state?.pawns ?? []) {
      if (this.isAside(pawn)) continue;
      const { x, y } = this.screenOf(pawn);
      const distance = Math.hypot(x - point.x, y - point.y);
      if (distance <= reach && (!best || distance < best.distance - 1e-6)) best = { pawn, distance };
    }
    return best?.pawn ?? null;
  }

  /** @param {Point} point */
  holeNear(point) {
    const { place, distance } = this.board.layout.nearest(point);
    return distance <= this.board.layout.pitch * SNAP_PITCHES ? place : null;
  }
}

/**
 * The name of a hole, for people who play by keyboard and ear: its number and the colour of its part of the board.
 * @type {(hole: Hole, styles: SeatStyles, zone: number) => string}
 */
function holeName({ kind, seat, index }, styles, zone) {
  if (kind === "centre") return t("hole-centre");
  const color = colorName(seat ?? `P${Math.floor(index / zone)}`, styles);
  if (kind !== "track") return t(kind === "camp" ? "hole-camp" : "hole-home", { n: index + 1, color });
  const n = index % zone;
  return n ? t("hole-track", { n, color }) : t("hole-start", { color });
}

/** The place of each finger beside the middle, and the end of its tip. */
const FINGERS = [
  { side: -0.75, tip: 0.18 },
  { side: -0.25, tip: 0 },
  { side: 0.25, tip: 0.06 },
  { side: 0.72, tip: 0.28 },
];

/** A hand with its fingertips at 0,0. @param {number} unit */
export function handShapes(unit) {
  const width = { "stroke-width": unit * 0.27 };
  const fingers = FINGERS.map(({ side, tip }) =>
    s("path.finger", { d: `M${side * unit * 0.6} ${unit * 1.2}V${unit * tip}`, ...width }),
  );
  const palm = [
    `M${-unit * 0.55} ${unit * 1.1}h${unit * 1.1}`,
    `q${unit * 0.1} ${unit * 0.9} ${-unit * 0.15} ${unit * 1.3}`,
    `v${unit * 2}h${-unit * 0.8}v${-unit * 2}`,
    `q${-unit * 0.35} ${-unit * 0.4} ${-unit * 0.15} ${-unit * 1.3}z`,
  ];
  const thumb = `M${-unit * 0.45} ${unit * 1.75}L${-unit * 0.95} ${unit * 1.05}`;
  return [s("path.finger", { d: thumb, ...width }), fingers, s("path.palm", { d: palm.join("") })];
}
