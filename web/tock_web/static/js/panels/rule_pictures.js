// Pictures of rules: what a card does, how hands are dealt, who passes whom.

import { h, s } from "../core/dom.js";

/** @import { Children } from "#types" */

/** Drawn like the icons: 24 units wide, lines of one width. @type {Record<string, string>} */
const LINES = {
  start: "M4 20h16M12 15.5V4M7.5 8.5L12 4l4.5 4.5",
  swap: "M4 8.5h15M15 4.5l4 4-4 4M20 15.5H5M9 11.5l-4 4 4 4",
  split: "M3 12h6l9-6.5M14 5h4.5v4.5M9 12l9 6.5M14 19h4.5v-4.5",
  centre: "M12 4a8 8 0 1 0 .01 0M12 10a2 2 0 1 0 .01 0",
  replace: "M12 3v12M7.5 10.5L12 15l4.5-4.5M5 20h14",
  wild: "M12 4l2.4 5 5.6.8-4 4 .9 5.6-4.9-2.6-4.9 2.6.9-5.6-4-4 5.6-.8z",
  burn: "M6 6l12 12M18 6L6 18",
  free: "M3 19C5 3 19 3 21 19M17.5 15.5L21 19l2.5-4.5M12 16a2.5 2.5 0 1 0 .01 0",
  not_own: "M3 19C5 3 19 3 21 19M12 13a4 4 0 1 0 .01 0M9.5 14.5l5 5",
  never: "M3 18h6M6.5 15l3 3-3 3M14 8v14M18 16a2.5 2.5 0 1 0 .01 0",
};
const WALK = /^(any|other|opponent)?([+±-])(\d+)(:takes)?$/;
const ARROWS = /** @type {Record<string, string>} */ ({ "+": "→", "-": "←", "±": "↔" });

/** @type {(topic: string, id: string) => HTMLElement} */
export function picture(topic, id) {
  const drawn = topic === "deal" ? hands(id) : topic === "pass" ? line(id) : id.split(";").map(action);
  return h("span.rule-picture", { "aria-hidden": "true" }, drawn);
}

/** @param {string} id */
function hands(id) {
  const [kind, ...rest] = id.split("-");
  const numbers =
    kind === "keep" ? rest : kind === "down" ? [rest[0], String(Number(rest[0]) - 1), "…"] : [kind, ...rest];
  return [
    numbers.filter((number) => number !== "on").map((number) => h("span.rule-hand", number)),
    kind === "keep" && h("span", "↻"),
    rest.includes("on") && h("span", "…"),
  ];
}

/** @param {string} text one action of a card */
function action(text) {
  const [first, ...words] = text.split(".");
  const walk = WALK.exec(text);
  if (walk) {
    const [, whose, sign, number, takes] = walk;
    return chip([whose && pawn(whose), ARROWS[sign], number, takes && line("burn")]);
  }
  const [kind, how] = first.split(":");
  if (kind === "split7") {
    const pawns = words.find((word) => word.startsWith("pawns="))?.slice(6);
    return chip([line("split"), pawns, how && line("burn"), words.includes("mate_rest") && "+"]);
  }
  return chip([line(kind), kind === "swap" && pawn(how)]);
}

/** Another player's pawn; one of anybody's is half filled. @param {string} whose */
function pawn(whose) {
  return h("i", { class: `rule-pawn ${whose}` });
}

/** @param {Children} parts */
function chip(parts) {
  return h("span.rule-action", parts);
}

/** @param {string} name */
function line(name) {
  return s("svg.rule-line", { viewBox: "0 0 24 24" }, s("path", { d: LINES[name] ?? LINES.wild }));
}
