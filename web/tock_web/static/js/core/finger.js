// The element under a finger keeps its place until its tap has arrived: a tap on a node that is gone is lost.

/** Browsers send the click of a tap within this time after the finger has left the glass. */
const CLICK_WITHIN_MS = 500;

/** @type {{ on: EventTarget | null, waiting: Map<Element, () => void>, watched: WeakSet<Document> }} */
const finger = { on: null, waiting: new Map(), watched: new WeakSet() };

/** Draw into `root` now, or once no finger is on it; a later drawing replaces one that waits. @type {(root: Element, draw: () => void) => void} */
export function drawUntouched(root, draw) {
  watch(root.ownerDocument);
  finger.waiting.delete(root);
  if (finger.on instanceof Node && root.contains(finger.on)) finger.waiting.set(root, draw);
  else draw();
}

/** @param {Document} page */
function watch(page) {
  if (finger.watched.has(page)) return;
  finger.watched.add(page);
  const on = (/** @type {string} */ name, /** @type {(event: Event) => void} */ then) =>
    page.addEventListener(name, then, { capture: true });
  on("pointerdown", ({ target }) => {
    lift();
    finger.on = target;
  });
  on("pointerup", () => {
    const { on: touched } = finger;
    setTimeout(() => finger.on === touched && lift(), CLICK_WITHIN_MS);
  });
  on("pointercancel", lift);
  on("click", ({ target }) => {
    if (!(target instanceof Node && finger.on instanceof Node && target.contains(finger.on))) return;
    // The listeners of the tap draw at once; the drawings that waited come after them.
    finger.on = null;
    setTimeout(lift);
  });
}

function lift() {
  finger.on = null;
  const waiting = [...finger.waiting.values()];
  finger.waiting.clear();
  for (const draw of waiting) draw();
}
