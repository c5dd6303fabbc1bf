// The picture that the simulated camera takes, small beside the board.

const EVERY_MS = 700;
const AGAIN_MS = 2_000;

/** Keep an image up to date while somebody looks at it. */
export function cameraPicture(image) {
  let number = 0;
  const next = () => {
    if (document.visibilityState !== "visible") {
      setTimeout(next, AGAIN_MS);
      return;
    }
    number += 1;
    image.src = `/api/v1/sim/frame?n=${number}`;
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
