// The way to the table: the network at home; a page from far away brings another before this script is loaded.

/** @import { Line } from "#types" */

/** @type {Line} */
export const line = globalThis.farLine ?? {
  isFar: false,
  fetch: (path, options) => fetch(path, options),
  stream: (url) => new EventSource(url),
};
