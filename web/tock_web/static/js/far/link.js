// The part of a link behind `#`, which no server is sent: the table, the secret, and a check that it is whole.

import { base64url, fromBase64url, sha256, utf8 } from "./bytes.js";

/** @typedef {"none" | "cut-off" | "another-form"} LinkFault */
/** @typedef {{ table: string, secret: Uint8Array<ArrayBuffer> }} FarLink */

const FORM = "1";
const CHECK_CHARS = 4;
const PATTERN = /^(\d+)\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{4})$/;
/** As long as a link may be; a messenger cuts off, and never adds that much. */
const MAX_CHARS = 400;

/**
 * Read the part behind `#`; a text that was cut off on its way is recognized by its check.
 *
 * @param {string} hash with or without its `#`
 * @returns {Promise<FarLink | LinkFault>}
 */
export async function readLink(hash) {
  const text = plain(hash);
  if (!text) return "none";
  const [form, ...rest] = text.split(".");
  if (/^\d{1,3}$/.test(form) && form !== FORM && rest.length) return "another-form";
  const found = PATTERN.exec(text);
  if (!found || text.length > MAX_CHARS) return form === FORM ? "cut-off" : "none";
  const [, , table, secret, check] = found;
  const whole = base64url(await sha256(utf8(`${FORM}.${table}.${secret}`))).slice(0, CHECK_CHARS);
  if (check !== whole) return "cut-off";
  try {
    return { table, secret: fromBase64url(secret) };
  } catch {
    return "cut-off";
  }
}

/** Messengers put dots, brackets and spaces behind a link, and write some letters in per cent. */
function plain(/** @type {string} */ hash) {
  const text = hash.replace(/^#/, "").trim();
  try {
    return decodeURIComponent(text).replace(/[\s.,;:!?)\]}>"'»”’…]+$/u, "");
  } catch {
    return text;
  }
}
