// How things stand with the line, in plain words: on the door, and later in a strip below the bar.

import { button, h, write } from "../core/dom.js";
import { t } from "../core/words.js";
import { standing } from "./state.js";

/** @import { FarState } from "./state.js" */

const SOON_S = 4;
const MINUTES_FROM_S = 100;

/** @type {(root: HTMLElement, sitAgain: () => void) => (state: FarState) => void} */
export function standingStrip(root, sitAgain) {
  // Seconds that pass are seen, and not read aloud again and again.
  const [seen, spoken] = [h("span", { "aria-hidden": "true" }), h("span.out-of-sight", { role: "status" })];
  const again = button("quiet", "far-again", h("span"), () => location.reload());
  const sit = button("quiet", "far-sit", h("span"), sitAgain);
  const copy = button("quiet", "far-copy", h("span"), () => {
    void navigator.clipboard.writeText(location.href).then(() => {
      copy.dataset.done = "";
      write(copy, t("far.copied"));
    });
  });
  root.append(h("i", { "aria-hidden": "true" }), seen, spoken, again, sit, copy);
  return (state) => {
    const { word, since, isFinal } = standing(state, performance.now());
    root.dataset.state = state.fault ? `link-${state.fault}` : (word ?? "live");
    root.classList.toggle("final", isFinal);
    root.hidden = word === null;
    again.hidden = word !== "tab";
    sit.hidden = word !== "out";
    write(sit, t("far.sit-again"));
    write(again, t("far.here"));
    write(copy, t("done" in copy.dataset ? "far.copied" : "far.copy"));
    copy.hidden = word !== "board";
    write(seen, word === null ? "" : sentenceOf(state, word, since));
    write(spoken, word === null ? "" : sentenceOf(state, word, null));
  };
}

/**
 * @param {FarState} state
 * @param {NonNullable<import("./state.js").Standing["word"]>} word
 * @param {number | null} since
 */
function sentenceOf({ fault, stage, waitingSince }, word, since) {
  if (word === "fault") return t(`far.link-${fault ?? "none"}`);
  const time = since === null ? "" : timeOf((performance.now() - since) / 1000);
  if (word === "cut" || word === "away" || word === "silent") {
    const more = waitingSince !== null ? t("far.kept") : stage === "seated" ? "" : t("far.stay");
    return `${time ? t(`far.${word}-for`, { time }) : t(`far.${word}`)} ${more}`.trim();
  }
  return t(`far.${word}`);
}

/** A time as people say it; nothing while it is not worth saying. @param {number} seconds */
function timeOf(seconds) {
  if (seconds < SOON_S) return "";
  // Steps of five seconds: a sentence that changes every second is hard to read.
  if (seconds < MINUTES_FROM_S) return t("far.seconds", { n: Math.floor(seconds / 5) * 5 || SOON_S });
  return t("far.minutes", { n: Math.round(seconds / 60) });
}
