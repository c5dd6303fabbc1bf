// The places of the holes on the screen: board-file millimetres, turned so that one seat's zone is near.

/** @import { BoardFile, Box, Hole, HoleId, Place, Point, SeatName } from "#types" */

const MARGIN_PITCHES = 1.05;
/** Tilted directions find a hole on each arm of a cross. */
const TILT = Math.PI / 9;

/**
 * The angle in degrees that brings the zone of a seat to the bottom edge.
 * @type {(boardFile: BoardFile, seat: SeatName | null) => number}
 */
export function angleFor(boardFile, seat) {
  const home = boardFile.holes.filter((hole) => hole.kind === "home" && hole.seat === seat);
  const track = boardFile.holes.filter((hole) => hole.kind === "track");
  if (!home.length) return 0;
  const centre = mean(track);
  const place = mean(home);
  const angle = 90 - (Math.atan2(place.y - centre.y, place.x - centre.x) * 180) / Math.PI;
  const square = Math.round(angle / 90) * 90;
  return Math.abs(angle - square) < 3 ? square : angle;
}

/** @type {(points: Point[]) => Point} */
export function mean(points) {
  const total = points.reduce((sum, point) => ({ x: sum.x + point.x, y: sum.y + point.y }), { x: 0, y: 0 });
  return { x: total.x / points.length, y: total.y / points.length };
}

/** Pick four holes far apart, for locating the board. @param {Hole[]} holes */
export function spreadHoles(holes) {
  return [0, 1, 2, 3].map((quarter) => {
    const angle = TILT + (quarter * Math.PI) / 2;
    const along = (/** @type {Point} */ { x, y }) => x * Math.cos(angle) + y * Math.sin(angle);
    return holes.reduce((best, hole) => (along(hole) > along(best) ? hole : best)).id;
  });
}

export class Layout {
  /** @param {BoardFile} boardFile @param {number} [angle] in degrees */
  constructor(boardFile, angle = 0) {
    this.boardFile = boardFile;
    this.angle = angle;
    const radians = (angle * Math.PI) / 180;
    this.cos = Math.cos(radians);
    this.sin = Math.sin(radians);
    /** @type {Map<HoleId, Place>} */
    this.places = new Map(boardFile.holes.map((hole) => [hole.id, { hole, ...this.toScreen(hole) }]));
    /** Holes of the track that belong to one seat. */
    this.zone = this.ofKind("track").length / boardFile.zones;
    this.pitch = this.medianStep();
    this.box = this.boundingBox();
  }

  /**
   * Turn a place of the board file into drawing coordinates, still in millimetres.
   * @type {(place: Point) => Point}
   */
  toScreen({ x, y }) {
    const [cx, cy] = [this.boardFile.size[0] / 2, this.boardFile.size[1] / 2];
    const [dx, dy] = [x - cx, y - cy];
    return { x: dx * this.cos - dy * this.sin + cx, y: dx * this.sin + dy * this.cos + cy };
  }

  /** Turn drawing coordinates back into a place of the board file. @type {(point: Point) => Point} */
  toBoard({ x, y }) {
    const [cx, cy] = [this.boardFile.size[0] / 2, this.boardFile.size[1] / 2];
    const [dx, dy] = [x - cx, y - cy];
    return { x: dx * this.cos + dy * this.sin + cx, y: -dx * this.sin + dy * this.cos + cy };
  }

  /** @param {HoleId} id */
  at(id) {
    return this.places.get(id);
  }

  /**
   * The holes of one kind, in their order along the way.
   * @type {(kind: Hole["kind"], seat?: SeatName) => Place[]}
   */
  ofKind(kind, seat) {
    const found = [...this.places.values()].filter(
      ({ hole }) => hole.kind === kind && (seat === undefined || hole.seat === seat),
    );
    return found.sort((a, b) => a.hole.index - b.hole.index);
  }

  /** The seat whose colour rings a hole: camps, homes and start holes. @param {Hole} hole */
  ownerOf({ kind, seat, index }) {
    return seat || (kind === "track" && index % this.zone === 0 ? `P${index / this.zone}` : null);
  }

  /** The hole of the track from which a seat goes home. @param {SeatName} seat */
  entranceOf(seat) {
    const [first] = this.ofKind("home", seat);
    return this.nearest(first, this.ofKind("track")).place ?? first;
  }

  /**
   * The nearest of some places, by default of all holes, and its distance.
   * @type {(point: Point, places?: Iterable<Place>) => { place: Place | null, distance: number }}
   */
  nearest(point, places = this.places.values()) {
    /** @type {{ place: Place | null, distance: number }} */
    let best = { place: null, distance: Infinity };
    for (const place of places) {
      const distance = Math.hypot(place.x - point.x, place.y - point.y);
      if (distance < best.distance) best = { place, distance };
    }
    return best;
  }

  /** The median distance between neighbours on the track; it may vary along the way. */
  medianStep() {
    const track = this.ofKind("track");
    const steps = track.map((place, index) => {
      const next = track[(index + 1) % track.length];
      return Math.hypot(next.x - place.x, next.y - place.y);
    });
    return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  }

  /** @returns {Box} */
  boundingBox() {
    const margin = this.pitch * MARGIN_PITCHES;
    const xs = [...this.places.values()].map((place) => place.x);
    const ys = [...this.places.values()].map((place) => place.y);
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    return { left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
  }
}
