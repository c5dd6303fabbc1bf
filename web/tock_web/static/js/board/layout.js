// Where the holes are on the screen: board-file millimetres, turned so that one seat's zone is near.

const MARGIN_PITCHES = 1.05;

/** Return the angle in degrees that brings the zone of a seat to the bottom edge. */
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

function mean(holes) {
  const total = holes.reduce((sum, hole) => ({ x: sum.x + hole.x, y: sum.y + hole.y }), { x: 0, y: 0 });
  return { x: total.x / holes.length, y: total.y / holes.length };
}

export class Layout {
  constructor(boardFile, angle = 0) {
    this.boardFile = boardFile;
    this.angle = angle;
    const radians = (angle * Math.PI) / 180;
    this.cos = Math.cos(radians);
    this.sin = Math.sin(radians);
    this.places = new Map(boardFile.holes.map((hole) => [hole.id, { hole, ...this.toScreen(hole) }]));
    this.pitch = this.medianStep();
    this.box = this.boundingBox();
  }

  /** Turn a place of the board file into drawing coordinates, still in millimetres. */
  toScreen({ x, y }) {
    const [cx, cy] = [this.boardFile.size[0] / 2, this.boardFile.size[1] / 2];
    const [dx, dy] = [x - cx, y - cy];
    return { x: dx * this.cos - dy * this.sin + cx, y: dx * this.sin + dy * this.cos + cy };
  }

  /** Turn drawing coordinates back into a place of the board file. */
  toBoard({ x, y }) {
    const [cx, cy] = [this.boardFile.size[0] / 2, this.boardFile.size[1] / 2];
    const [dx, dy] = [x - cx, y - cy];
    return { x: dx * this.cos + dy * this.sin + cx, y: -dx * this.sin + dy * this.cos + cy };
  }

  at(id) {
    return this.places.get(id);
  }

  /** Return the holes of one kind, in their order along the way. */
  ofKind(kind, seat = undefined) {
    const found = [...this.places.values()].filter(
      ({ hole }) => hole.kind === kind && (seat === undefined || hole.seat === seat),
    );
    return found.sort((a, b) => a.hole.index - b.hole.index);
  }

  /** Return the nearest of some places and its distance. */
  nearest(point, places = this.places.values()) {
    let best = { place: null, distance: Infinity };
    for (const place of places) {
      const distance = Math.hypot(place.x - point.x, place.y - point.y);
      if (distance < best.distance) best = { place, distance };
    }
    return best;
  }

  medianStep() {
    const track = this.ofKind("track");
    const steps = track.map((place, index) => {
      const next = track[(index + 1) % track.length];
      return Math.hypot(next.x - place.x, next.y - place.y);
    });
    return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  }

  boundingBox() {
    const margin = this.pitch * MARGIN_PITCHES;
    const xs = [...this.places.values()].map((place) => place.x);
    const ys = [...this.places.values()].map((place) => place.y);
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    return { left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
  }
}
