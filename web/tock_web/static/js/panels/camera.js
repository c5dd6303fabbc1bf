// The picture that a camera takes, kept up to date while somebody looks at it.

const EVERY_MS = 700;
const AGAIN_MS = 2_000;

/** Show the newest picture of an address in an image; `path()` says which, `isWanted()` whether anybody can see it. */
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
