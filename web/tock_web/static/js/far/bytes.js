// Bytes: put together, written as text of an address, hashed, and keys derived from them.

const TEXT = new TextEncoder();

/** The UTF-8 bytes of a text. @param {string} text */
export function utf8(text) {
  return TEXT.encode(text);
}

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes */
export function base64url(bytes) {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Read such a text; throws for anything else, also for another spelling of the same bytes. */
export function fromBase64url(/** @type {string} */ text) {
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (base64url(bytes) !== text) throw new TypeError("is not base64url");
  return bytes;
}

/** @param {string} text */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * Derive key bytes (HKDF-SHA256).
 *
 * @param {Uint8Array<ArrayBuffer>} from
 * @param {Uint8Array<ArrayBuffer>} salt
 * @param {string} info their purpose
 * @param {number} length in bytes
 */
export async function derived(from, salt, info, length) {
  const key = await crypto.subtle.importKey("raw", from, "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt, info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, length * 8));
}

/** @param {number} length */
export function randomBytes(length) {
  return crypto.getRandomValues(new Uint8Array(length));
}
