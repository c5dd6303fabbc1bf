// The state of the camera and the other sources, in words and as a picture.

import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t, tNamed } from "../core/words.js";

/** @import { SourceInfo, View } from "#types" */

const EVERY_MS = 700;
const AGAIN_MS = 2_000;

/**
 * @param {HTMLElement} root
 * @param {object} [options]
 * @param {boolean} [options.onlyTrouble] empty while every source is well and has nothing to note
 */
export function sourcesPanel(root, { onlyTrouble = false } = {}) {
  const draw = drawer(root, (/** @type {SourceInfo[]} */ sources) => {
    const shown = onlyTrouble ? sources.filter(({ condition, note }) => condition !== "ok" || note) : sources;
    if (!shown.length) return onlyTrouble ? [] : [h("p", t("no-sources"))];
    const rows = shown.map(({ name, condition, sentence }) =>
      h("li", { "data-condition": condition }, h("b", tNamed("source.", name)), " ", say(sentence)),
    );
    return h("ul.sources", rows);
  });
  return (/** @type {View} */ view) => draw([language(), view.sources], view.sources ?? []);
}

/** Show the camera's picture in a box for as long as it is open. @param {HTMLDetailsElement} box */
export function foldedCamera(box) {
  const image = box.querySelector("img");
  if (image) {
    cameraPicture(
      image,
      () => "preview",
      () => box.open,
    );
  }
}

/**
 * Keep the camera's picture up to date while somebody can see it.
 *
 * @param {HTMLImageElement} image
 * @param {() => string} path below `/api/v1/`, of the picture to show now
 * @param {() => boolean} [isWanted] whether anybody can see it
 */
export function cameraPicture(image, path, isWanted = () => true) {
  let number = 0;
  const next = () => {
    if (document.visibilityState !== "visible" || !isWanted()) {
      setTimeout(next, AGAIN_MS);
      return;
    }
    number += 1;
    image.src = `/api/v1/${path()}?n=${number}`;
  };
  image.addEventListener("load", () => {
    image.hidden = false;
    setTimeout(next, EVERY_MS);
  });
  image.addEventListener("error", () => {
    image.hidden = true;
    setTimeout(next, AGAIN_MS);
  });
  next();
}
