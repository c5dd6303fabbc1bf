// A panel that few views need: it is fetched with the first one that does.

import { arrived } from "./frame.js";

/**
 * @template M
 * @template V
 * @template {unknown[]} D
 * @param {() => Promise<M>} get
 * @param {(part: M) => (view: V, ...details: D) => void} build
 * @param {(view: V) => unknown} isNeeded
 * @returns {(view: V, ...details: D) => void}
 */
export function fetched(get, build, isNeeded) {
  /** @type {((view: V, ...details: D) => void) | null} */
  let draw = null;
  /** @type {[V, ...D] | null} */
  let newest = null;
  let isFetching = false;
  return async (...shown) => {
    newest = shown;
    if (!draw && !isFetching && isNeeded(shown[0])) {
      isFetching = true;
      const found = await arrived(get());
      isFetching = false;
      if (found) draw = build(found);
    }
    draw?.(...newest);
  };
}
