// Hello and welcome: both ends prove that they have the link's secret, and find keys for one session.

import { base64url, fromBase64url, sha256 } from "./bytes.js";
import { Session, newKeyPair, openGreeting, pointOf, sealGreeting, sessionKeys } from "./session.js";

/** @import { Bytes, RoomKeys } from "./session.js" */
/** @typedef {"revoked" | "over" | "seat" | "device" | "older" | "newer" | "tab" | "board"} Ending */
/** @typedef {{ frame: Bytes, hash: string, pair: CryptoKeyPair }} Hello */
/**
 * The contents of a hello, and its keys.
 *
 * @typedef {object} Greeter
 * @property {RoomKeys} keys
 * @property {Bytes} device secret by which the home knows this phone again
 * @property {string} version of this page
 * @property {number} views form of the views that it draws
 */

/** @type {Record<string, Ending>} */
const ENDS = { device: "device", over: "over", seat_taken: "seat" };

/** @type {(greeter: Greeter) => Promise<Hello>} */
export async function newHello({ keys, device, version, views }) {
  const pair = await newKeyPair();
  const text = { key: base64url(await pointOf(pair.publicKey)), device: base64url(device), version, views };
  const frame = await sealGreeting("hello", keys, JSON.stringify(text));
  return { frame, hash: base64url(await sha256(frame)), pair };
}

/**
 * The session that a welcome opens; null where it answers none of these hellos.
 * @type {(greeter: Greeter, hellos: Hello[], frame: Bytes) => Promise<Session | Ending | null>}
 */
export async function welcomed({ keys, version }, hellos, frame) {
  const text = await openGreeting("welcome", keys, frame);
  if (text === null) return null;
  const answer = JSON.parse(text);
  const hello = hellos.find(({ hash }) => hash === answer.re);
  if (!hello) return null;
  if (answer.refused) return endingOf(answer.refused, version, answer.version);
  const point = fromBase64url(answer.key);
  return new Session(
    await sessionKeys(keys, hello.pair.privateKey, point, hello.frame, frame),
    keys.room,
    "up",
  );
}

/** @type {(refused: string, own: string, other: string) => Ending} */
function endingOf(refused, own, other) {
  if (refused !== "version") return ENDS[refused] ?? "over";
  return isOlder(own, other) ? "older" : "newer";
}

/** Whether the first of two versions is the older one. @type {(own: string, other: string) => boolean} */
export function isOlder(own, other) {
  const numbers = (/** @type {string} */ text) => text.split(/\D+/).filter(Boolean).map(Number);
  const [mine, theirs] = [numbers(own), numbers(String(other))];
  const at = theirs.findIndex((number, index) => number !== (mine[index] ?? 0));
  return at >= 0 && theirs[at] > (mine[at] ?? 0);
}
