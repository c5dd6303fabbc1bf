// What this phone keeps of an invitation: the secret by which the home knows it again, and the newest link.

import { base64url, fromBase64url, randomBytes } from "./bytes.js";

const DEVICE_BYTES = 32;
/** Links are good for an evening; this phone forgets the newest one then. */
const KEPT_MS = 12 * 3_600_000;
const LINK = "tock.far.link";

/** The secret of this phone for a room; where nothing can be stored it holds until the page is left. */
export function deviceSecret(/** @type {string} */ room) {
  const key = `tock.far.device.${room}`;
  try {
    const kept = localStorage.getItem(key);
    if (kept) return fromBase64url(kept);
    const made = randomBytes(DEVICE_BYTES);
    localStorage.setItem(key, base64url(made));
    return made;
  } catch {
    return randomBytes(DEVICE_BYTES);
  }
}

/** The link of this page, or else the newest one: whoever comes back without it goes on where they were. */
export function newestLink(/** @type {string} */ hash) {
  try {
    if (hash.length > 1) {
      localStorage.setItem(LINK, JSON.stringify({ hash, at: Date.now() }));
      return hash;
    }
    const { hash: kept, at } = JSON.parse(localStorage.getItem(LINK) ?? "{}");
    // A clock that was set back keeps no link for ever.
    return kept && Math.abs(Date.now() - at) < KEPT_MS ? String(kept) : hash;
  } catch {
    return hash;
  }
}

/** Forget the newest link: it opens nothing any more. */
export function forgetLink() {
  try {
    localStorage.removeItem(LINK);
  } catch {
    // Nothing was kept.
  }
}
