// The one way out of a document.

const page = { isLeft: false };

/** Go to another page, or load this one again: a second way out would cut off the first. @param {string} [path] */
export function leaveOnce(path) {
  if (page.isLeft) return;
  page.isLeft = true;
  if (path) location.replace(path);
  else location.reload();
}
