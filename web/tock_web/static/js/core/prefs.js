// What this phone remembers for itself; a browser that forbids storage just forgets.

/** Return a remembered value or the fallback. */
export function recall(key, fallback) {
  try {
    return localStorage.getItem(`tock.${key}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Remember a value. */
export function remember(key, value) {
  try {
    localStorage.setItem(`tock.${key}`, value);
  } catch {
    // Private mode: the choice holds until the page is left.
  }
}
