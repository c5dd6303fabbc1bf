// Who a player is, and with whom they play.

/** @import { SeatInfo, SeatName, View } from "#types" */
/** @import { Moved } from "../panels/who_moves.js" */
/** @typedef {{ color: string, partners: string[], others: Record<string, string> }} Me colours of others by name */

/**
 * The others of a seat's team; none while it is open how many will play.
 * @type {(view: Pick<View, "seats" | "lobby">, seat: SeatName) => SeatInfo[]}
 */
export function partnersOf({ seats, lobby }, seat) {
  const team = seats.find((entry) => entry.seat === seat)?.team ?? null;
  if (team === null || (lobby && lobby.players < seats.length)) return [];
  return seats.filter((entry) => entry.team === team && entry.seat !== seat);
}

/** Whether this page has the host's rights. @param {View} view */
export function isHost(view) {
  return view.role === "host" || (view.role === "seat" && view.host === view.seat);
}

/**
 * Whether a player has to hear of it: another colour, or in a game another partner.
 *
 * @param {Me | null} before
 * @param {Me} now
 * @param {boolean} isPlaying in the lobby everybody sees who sits down
 */
export function isNews(before, now, isPlaying) {
  if (!before) return false;
  if (before.color !== now.color) return true;
  const isOther = String(before.partners) !== String(now.partners);
  return isPlaying && isOther && before.partners.some(Boolean) && now.partners.some(Boolean);
}

/** The colours of all others, by their names. @type {(view: Pick<View, "seats">, me: SeatInfo) => Record<string, string>} */
export function othersOf({ seats }, me) {
  const others = seats.filter(({ taken, seat }) => taken && seat !== me.seat);
  return Object.fromEntries(others.map(({ name, color }) => [name, color]));
}

/** The others who have another colour than before. @type {(before: Me | null, now: Me) => Moved[]} */
export function movedOthers(before, now) {
  return Object.entries(now.others)
    .map(([name, color]) => ({ name, before: before?.others?.[name] ?? color, now: color }))
    .filter((moved) => moved.before !== moved.now);
}
