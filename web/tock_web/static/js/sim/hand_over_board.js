// The hand that a person holds over the simulated table.

import { s } from "../core/dom.js";

/** The place of each finger beside the middle, and the end of its tip. */
const FINGERS = [
  { side: -0.75, tip: 0.18 },
  { side: -0.25, tip: 0 },
  { side: 0.25, tip: 0.06 },
  { side: 0.72, tip: 0.28 },
];

/** A hand with its fingertips at 0,0. @param {number} unit */
export function handShapes(unit) {
  const width = { "stroke-width": unit * 0.27 };
  const fingers = FINGERS.map(({ side, tip }) =>
    s("path", { class: "finger", d: `M${side * unit * 0.6} ${unit * 1.2}V${unit * tip}`, ...width }),
  );
  const palm = [
    `M${-unit * 0.55} ${unit * 1.1}h${unit * 1.1}`,
    `q${unit * 0.1} ${unit * 0.9} ${-unit * 0.15} ${unit * 1.3}`,
    `v${unit * 2}h${-unit * 0.8}v${-unit * 2}`,
    `q${-unit * 0.35} ${-unit * 0.4} ${-unit * 0.15} ${-unit * 1.3}z`,
  ];
  const thumb = `M${-unit * 0.45} ${unit * 1.75}L${-unit * 0.95} ${unit * 1.05}`;
  return [
    s("path", { class: "finger", d: thumb, ...width }),
    fingers,
    s("path", { class: "palm", d: palm.join("") }),
  ];
}
