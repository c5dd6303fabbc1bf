// A view as the home sends it: its changes since the one before. The Python side is `tock_companion.far.changes`.

/** @typedef {{ set?: Record<string, any>, in?: Record<string, Changes>, gone?: string[], at?: Record<string, Changes>,
 *   from?: number, keep?: number, then?: any[] }} Changes */

/** @param {any} old stays as it is @param {Changes} by @returns {any} the new value */
export function withChanges(old, by) {
  if (!Array.isArray(old)) {
    const found = { ...old };
    for (const key of by.gone ?? []) delete found[key];
    for (const [key, inside] of Object.entries(by.in ?? {})) found[key] = withChanges(old[key], inside);
    return { ...found, ...by.set };
  }
  const { at, from = 0, keep = 0, then = [] } = by;
  if (at) return old.map((value, place) => (at[place] ? withChanges(value, at[place]) : value));
  return [...old.slice(from, from + keep), ...then];
}

export class Views {
  constructor() {
    /** @type {any} */
    this.newest = null;
  }

  /**
   * @param {{ view?: any, changes?: Changes }} message
   * @returns {any} the view that a message brings, or null
   */
  take({ view, changes }) {
    if (!view && !changes) return null;
    this.newest = changes ? withChanges(this.newest, changes) : view;
    return this.newest;
  }
}
