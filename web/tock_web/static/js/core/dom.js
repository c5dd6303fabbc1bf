// Building elements without HTML text, so that names and sentences can never become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name === "testid" ? "data-testid" : name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Make an HTML element; `on…` attributes are listeners, `testid` is short for data-testid. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Make an SVG element in the same way. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Write into an element; the same words again are no change to anybody. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Return a function that draws into `root` only when its key changes, so that nothing flickers or loses focus. */
export function drawer(root, draw) {
  let last = null;
  return (key, ...details) => {
    const text = JSON.stringify(key);
    if (text === last) return;
    last = text;
    root.replaceChildren(...[draw(...details)].flat().filter(Boolean));
  };
}

/** Return a function that draws the newest it is given once the screen shows what is more urgent. */
export function later(draw) {
  let newest = null;
  const show = () => {
    const given = newest;
    newest = null;
    draw(...given);
  };
  return (...given) => {
    if (!newest) setTimeout(show);
    newest = given;
  };
}

/** Return a function that draws what is folded away only once somebody opens it. */
export function whenOpen(details, draw) {
  let newest = null;
  const show = () => details.open && newest && draw(...newest);
  details.addEventListener("toggle", show);
  return (...given) => {
    newest = given;
    show();
  };
}

/** Return a random text; `crypto.randomUUID` does not exist on plain HTTP. */
export function randomText(bytes = 12) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
