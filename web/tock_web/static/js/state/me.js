// Who a player is, and with whom they play.

/** @import { SeatInfo, SeatName, View } from "#types" */
/** @typedef {{ color: string, partners: string[] }} Me */

/**
 * The others of a seat's team; none while it is open how many will play.
 * @type {(view: Pick<View, "seats" | "lobby">, seat: SeatName) => SeatInfo[]}
 */
export function partnersOf({ seats, lobby }, seat) {
  const team = seats.find((entry) => entry.seat === seat)?.team ?? null;
  if (team === null || (lobby && lobby.players < seats.length)) return [];
  return seats.filter((entry) => entry.team === team && entry.seat !== seat);
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
