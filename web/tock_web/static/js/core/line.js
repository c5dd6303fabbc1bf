// The way to the table: the network at home; a page for guests elsewhere brings another before this script is loaded.

/** @import { Line } from "#types" */

/** @type {Line} */
export const line = globalThis.remoteLine ?? {
  isRemote: false,
  entersCards: () => true,
  fetch: (path, options) => fetch(path, options),
  stream: (url) => new EventSource(url),
};
