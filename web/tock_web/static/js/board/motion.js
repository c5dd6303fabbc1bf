// Pawns that walk to their new holes: the screen shows the move, not only its result.

/** @import { Arrow, HoleId, Point, SeatName } from "#types" */
/** @import { Layout } from "./layout.js" */
/** @typedef {{ hole: HoleId, seat: SeatName }} Stand */
/** @typedef {{ from: HoleId, to: HoleId }} Walk */

const STEP_MS = 110;
const MIN_MS = 320;
const MAX_MS = 1_200;
/** More steps than any card has: somebody put the pawn there, it did not walk. */
const MAX_STEPS = 18;
/** With more pawns than this, the board was set up again, or somebody is stepping through a game. */
const MAX_WALKERS = 6;
const LIVELY = matchMedia("(prefers-reduced-motion: no-preference)");

/**
 * The paths of pawns between two positions: first by the arrows of the move, others to the place their colour lacks.
 * @type {(gone: Stand[], come: Stand[], arrows: readonly Pick<Arrow, "from" | "to">[]) => Walk[]}
 */
export function walksBetween(gone, come, arrows) {
  const left = [...gone];
  if (come.length > MAX_WALKERS) return [];
  return come.flatMap(({ hole: to, seat }) => {
    const origin = arrows.find((arrow) => arrow.to === to)?.from;
    const own = left.filter((stand) => stand.seat === seat);
    const start = own.find(({ hole }) => hole === origin) ?? own[0];
    if (!start) return [];
    left.splice(left.indexOf(start), 1);
    return [{ from: start.hole, to }];
  });
}

/**
 * The places that a pawn passes on its way, hole by hole along the track and into its home.
 * @type {(layout: Layout, walk: Walk) => Point[]}
 */
export function wayOf(layout, { from, to }) {
  const [start, end] = [layout.at(from), layout.at(to)];
  if (!start || !end) return [];
  const track = layout.ofKind("track");
  const home = end.hole.kind === "home" && end.hole.seat;
  const last = home ? layout.entranceOf(home).hole : end.hole;
  if (start.hole.kind !== "track" || last.kind !== "track") return [start, end];
  const forwards = (last.index - start.hole.index + track.length) % track.length;
  const isBack = forwards * 2 > track.length;
  const steps = isBack ? track.length - forwards : forwards;
  if (steps > MAX_STEPS) return [start, end];
  const along = Array.from({ length: steps }, (_, step) => {
    const index = start.hole.index + (isBack ? -step - 1 : step + 1);
    return track[(index + track.length) % track.length];
  });
  return [start, ...along, ...(home ? layout.ofKind("home", home).slice(0, end.hole.index + 1) : [])];
}

/**
 * Show a pawn on its way to the place where it is drawn already.
 * @type {(shape: SVGElement, way: Point[]) => void}
 */
export function walk(shape, way) {
  if (!LIVELY.matches || way.length < 2) return;
  const duration = Math.min(MAX_MS, Math.max(MIN_MS, STEP_MS * (way.length - 1)));
  const places = way.map(({ x, y }) => ({ transform: `translate(${x}px,${y}px)`, easing: "ease-in-out" }));
  shape.animate(places, { duration });
}
