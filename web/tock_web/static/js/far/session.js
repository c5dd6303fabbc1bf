// Sealed frames between this phone and the home, with keys of their own for each connection (docs/security.md).

import { base64url, derived, joined, randomBytes, sha256, utf8 } from "./bytes.js";

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {"up" | "down"} Direction */
/**
 * What follows from the secret of a link.
 *
 * @typedef {object} RoomKeys
 * @property {string} room
 * @property {string} password of the room at the broker
 * @property {Bytes} helloUp
 * @property {Bytes} helloDown
 * @property {Bytes} chain
 */
/** @typedef {{ up: Bytes, down: Bytes, id: Bytes }} SessionKeys */
/** @typedef {"plain" | "hello" | "welcome" | "data"} FrameKind */

export const FORM = 1;
/** The place of a kind is byte 1 of its frames. */
const KINDS = /** @type {const} */ (["plain", "hello", "welcome", "data"]);
const HEAD_BYTES = 2;
const NONCE_BYTES = 12;
const ID_BYTES = 8;
const DATA_HEAD_BYTES = HEAD_BYTES + ID_BYTES + 8;
const KEY_BYTES = 32;
const ROOM_BYTES = 16;
/** Messages are padded to a multiple of this: their length tells little. */
const BLOCK_BYTES = 1024;
const CURVE = { name: "ECDH", namedCurve: "P-256" };

/** @type {(table: string, secret: Bytes) => Promise<RoomKeys>} */
export async function roomKeys(table, secret) {
  const key = (/** @type {string} */ name) => derived(secret, utf8(table), `tock far ${name}`, KEY_BYTES);
  const names = ["room", "broker", "hello up", "hello down", "chain"];
  const [room, broker, helloUp, helloDown, chain] = await Promise.all(names.map(key));
  return {
    room: base64url(room.slice(0, ROOM_BYTES)),
    password: base64url(broker),
    helloUp,
    helloDown,
    chain,
  };
}

/**
 * The kind of a frame of our form; null if it is not one of ours.
 * @type {(frame: Uint8Array) => FrameKind | null}
 */
export function kindOf(frame) {
  const kind = KINDS[frame[1]];
  return frame[0] === FORM || kind === "plain" ? (kind ?? null) : null;
}

/** A key pair for one session. */
export function newKeyPair() {
  return crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
}

/** @param {CryptoKey} key */
export async function pointOf(key) {
  return new Uint8Array(await crypto.subtle.exportKey("raw", key));
}

/**
 * Seal a hello, or a welcome.
 *
 * @param {"hello" | "welcome"} kind
 * @param {RoomKeys} keys
 * @param {string} text
 * @param {Bytes} [nonce] given by tests alone
 */
export async function sealGreeting(kind, keys, text, nonce = randomBytes(NONCE_BYTES)) {
  const head = new Uint8Array([FORM, KINDS.indexOf(kind)]);
  const secret = kind === "hello" ? keys.helloUp : keys.helloDown;
  return joined(
    head,
    nonce,
    await seal(await cipher(secret), nonce, utf8(text), joined(head, utf8(keys.room))),
  );
}

/**
 * Open a hello, or a welcome; null where it was sealed by somebody else.
 * @type {(kind: "hello" | "welcome", keys: RoomKeys, frame: Bytes) => Promise<string | null>}
 */
export async function openGreeting(kind, keys, frame) {
  if (kindOf(frame) !== kind) return null;
  const secret = kind === "hello" ? keys.helloUp : keys.helloDown;
  const [head, nonce, sealed] = split(frame, HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
  return open(await cipher(secret), nonce, sealed, joined(head, utf8(keys.room)));
}

/**
 * The keys that both ends find for a session; throws for a point that is not on the curve.
 *
 * @param {RoomKeys} keys
 * @param {CryptoKey} own
 * @param {Bytes} other the point of the other end
 * @param {Bytes} hello
 * @param {Bytes} welcome
 * @returns {Promise<SessionKeys>}
 */
export async function sessionKeys(keys, own, other, hello, welcome) {
  const point = await crypto.subtle.importKey("raw", other, CURVE, false, []);
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: point }, own, 8 * KEY_BYTES);
  const salt = await sha256(joined(keys.chain, hello, welcome));
  const key = (/** @type {string} */ info, /** @type {number} */ length) =>
    derived(new Uint8Array(shared), salt, info, length);
  const [up, down, id] = await Promise.all([
    key("up", KEY_BYTES),
    key("down", KEY_BYTES),
    key("id", ID_BYTES),
  ]);
  return { up, down, id };
}

/** One end of a session: seals what goes out, and opens what comes in, each once and in order. */
export class Session {
  /**
   * @param {SessionKeys} keys
   * @param {string} room
   * @param {Direction} sends the direction of what this end sends
   */
  constructor(keys, room, sends) {
    const receives = sends === "up" ? "down" : "up";
    this.id = keys.id;
    this.out = { key: cipher(keys[sends]), aad: utf8(room + sends), count: 0 };
    this.in = { key: cipher(keys[receives]), aad: utf8(room + receives), count: 0 };
  }

  /** The next data frame; frames have to be sent in the order of these calls. @param {unknown} message */
  async seal(message) {
    const { key, aad } = this.out;
    this.out.count += 1;
    const sequence = sequenceBytes(this.out.count);
    const head = joined(new Uint8Array([FORM, KINDS.indexOf("data")]), this.id, sequence);
    const text = utf8(JSON.stringify(message));
    const padded = joined(text, spaces(-text.length & (BLOCK_BYTES - 1)));
    return joined(head, await seal(await key, nonceOf(sequence), padded, joined(head, aad)));
  }

  /**
   * The message of a data frame. Null for one that was not sealed for this session, or has come before; "gap" where
   * one before it is missing: the session has ended then. Called for one frame after another.
   * @type {(frame: Bytes) => Promise<Record<string, unknown> | "gap" | null>}
   */
  async open(frame) {
    if (frame.length < DATA_HEAD_BYTES) return null;
    const [head, , sealed] = split(frame, DATA_HEAD_BYTES, DATA_HEAD_BYTES);
    if (kindOf(frame) !== "data" || String(head.slice(HEAD_BYTES, HEAD_BYTES + ID_BYTES)) !== String(this.id))
      return null;
    const sequence = head.slice(HEAD_BYTES + ID_BYTES);
    const text = await open(await this.in.key, nonceOf(sequence), sealed, joined(head, this.in.aad));
    const number = numberOf(sequence);
    if (text === null || number <= this.in.count) return null;
    if (number !== this.in.count + 1) return "gap";
    this.in.count = number;
    return JSON.parse(text);
  }
}

/** @param {number} count */
function spaces(count) {
  return new Uint8Array(count).fill(0x20);
}

/** @param {number} number */
function sequenceBytes(number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

/** @param {Bytes} sequence */
function numberOf(sequence) {
  return Number(new DataView(sequence.buffer, sequence.byteOffset).getBigUint64(0));
}

/** @param {Bytes} sequence */
function nonceOf(sequence) {
  return joined(new Uint8Array(NONCE_BYTES - sequence.length), sequence);
}

/** @type {(frame: Bytes, first: number, second: number) => Uint8Array<ArrayBuffer>[]} */
function split(frame, first, second) {
  return [frame.slice(0, first), frame.slice(first, second), frame.slice(second)];
}

/** @param {Bytes} key */
function cipher(key) {
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/**
 * @type {(key: CryptoKey, iv: Bytes, text: Bytes, additionalData: Bytes) => Promise<Uint8Array<ArrayBuffer>>}
 */
async function seal(key, iv, text, additionalData) {
  return new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, text));
}

/** @type {(key: CryptoKey, iv: Bytes, sealed: Bytes, additionalData: Bytes) => Promise<string | null>} */
async function open(key, iv, sealed, additionalData) {
  try {
    const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, sealed);
    return new TextDecoder().decode(text);
  } catch {
    return null;
  }
}
