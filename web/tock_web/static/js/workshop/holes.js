// The holes of a board that is being made, in a photo: the nearest one, its label, and the part where the board lies.

/** @import { BoardMade, MadeHole } from "#types" */
/** @import { Share } from "./state.js" */
/** @typedef {[left: number, top: number, width: number, height: number]} Box a part of a photo, as shares of its size */

/** Fewer holes than two zones have are not yet a board. */
const FEW_HOLES = 36;
/** So much around the holes still belongs to the board, in widths of the part that is shown. */
const MARGIN = 0.06;

/**
 * The hole nearest to a place in a photo, and how far it is, in widths of the photo.
 * @type {(made: BoardMade, photo: number, at: Share) => { hole: MadeHole, distance: number } | null}
 */
export function nearestHole(made, photo, [x, y]) {
  const { width, height } = made.photos[photo];
  /** @type {{ hole: MadeHole, distance: number } | null} */
  let best = null;
  for (const hole of made.board?.holes ?? []) {
    const place = hole.places[photo];
    if (!place) continue;
    const distance = Math.hypot(place[0] - x, ((place[1] - y) * height) / width);
    if (!best || distance < best.distance) best = { hole, distance };
  }
  return best;
}

/**
 * The label beside a hole: its number on the track, a letter for home and camp, a question mark without a name.
 *
 * @param {string} id
 * @param {string} home the letter of a home in the language of the page
 * @param {number} [zone] the holes of a zone
 */
export function holeLabel(id, home, zone = 18) {
  if (id.startsWith("+")) return "?";
  if (id === "C") return "·";
  if (!id.startsWith("T")) return id.slice(3).replace("H", home);
  return String(Number(id.slice(1)) % zone || zone);
}

/** The owner of a hole; null for most of the track. @type {(id: string, zone?: number) => string | null} */
export function holeSeat(id, zone = 18) {
  if (id.startsWith("P")) return id.slice(0, 2);
  const index = Number(id.slice(1));
  return id.startsWith("T") && index % zone === 0 ? `P${index / zone}` : null;
}

/**
 * Whether a hole is the first of its kind in a zone: where the picture is small, only these have room for a label.
 */
export function isFirstOfItsKind(/** @type {string} */ id, zone = 18) {
  return id.endsWith("-H1") || id.endsWith("-C1") || (id.startsWith("T") && holeSeat(id, zone) !== null);
}

/**
 * The part of a photo in which the board lies; all of it while no board is known.
 * @type {(made: BoardMade, photo: number) => Box}
 */
export function boardBox(made, photo) {
  const holes = made.board?.holes ?? [];
  const places = holes.flatMap((hole) => (hole.places[photo] ? [hole.places[photo]] : []));
  // A board that is drawn hole by hole may reach farther than its known holes.
  return boxAround(places.length < FEW_HOLES ? [] : places, MARGIN);
}

/**
 * The part of a photo around some places; all of it for none.
 *
 * @param {readonly (readonly number[])[]} places
 * @param {number} margin in widths of the part
 * @returns {Box}
 */
export function boxAround(places, margin) {
  if (!places.length) return [0, 0, 1, 1];
  const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [dx, dy] = [(right - left) * margin, (bottom - top) * margin];
  const [x, y] = [Math.max(0, left - dx), Math.max(0, top - dy)];
  return [x, y, Math.min(1, right + dx) - x, Math.min(1, bottom + dy) - y];
}

/**
 * The distance between neighbouring holes of the track in the photo: the median, in its pixels.
 * @type {(made: BoardMade, photo: number) => number}
 */
export function pitchPx(made, photo) {
  const { width, height } = made.photos[photo];
  const track = (made.board?.holes ?? []).filter(({ id }) => id.startsWith("T"));
  const steps = track.slice(1).map(({ places }, index) => {
    const [one, other] = [places[photo], track[index].places[photo]];
    return one && other ? Math.hypot((one[0] - other[0]) * width, (one[1] - other[1]) * height) : 0;
  });
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] || width / 40;
}
