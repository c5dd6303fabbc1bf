// The steps of "your board" in words and buttons, below the photo.

import { button, h } from "../core/dom.js";
import { say, t, tNamed } from "../core/words.js";
import { mend } from "./mend.js";
import { naming } from "./name.js";
import { choices, zoomButton } from "./parts.js";

/** @import { Children } from "#types" */
/** @import { MakerState, MakerStep } from "./state.js" */
/** @import { Maker } from "./maker.js" */

const MAX_PHOTOS = 3;
const ZONES = [4, 6, 8];

/** @type {Record<MakerStep, (maker: Maker, state: MakerState) => Children>} */
const WORDS = { photos, starts, mend, check, name: naming };

/** @type {(maker: Maker, state: MakerState) => Children} */
export function stepWords(maker, state) {
  return [
    h("h2", { id: "maker-title" }, t(`maker.title-${state.step}`)),
    // A board from before is still there: the way to another one comes first.
    state.made?.photos.length ? button("quiet", "maker-clear", t("maker.clear"), () => maker.clear()) : null,
    WORDS[state.step](maker, state),
    button("quiet", "maker-close", t("close"), () => maker.close()),
  ];
}

function photos(/** @type {Maker} */ maker, /** @type {MakerState} */ { made, isBusy }) {
  const count = made?.photos.length ?? 0;
  if (made?.phase === "finding") return finding(made.progress);
  const isRefused = made?.phase === "refused";
  return [
    isRefused && refusedWords(maker, made),
    !(isRefused && count === MAX_PHOTOS) && h("p", t(photosWord(count, isRefused), { n: count })),
    count > 0 &&
      !isRefused &&
      button("main", "maker-find", t("maker.find"), () => maker.find(), { disabled: isBusy }),
    count < MAX_PHOTOS && takers(maker, isBusy),
  ];
}

function photosWord(/** @type {number} */ count, /** @type {boolean} */ isRefused) {
  if (!count) return "maker.photos-how";
  if (isRefused) return "maker.photos-again";
  return count < MAX_PHOTOS ? "maker.photos-more" : "maker.photos-all";
}

/**
 * The reason why no board was found, and the best remedy.
 *
 * @param {Maker} maker
 * @param {NonNullable<MakerState["made"]>} made
 */
function refusedWords(maker, { message }) {
  const go = () => maker.store.dispatch({ type: "went", step: "starts" });
  return [
    h("p.bad", { role: "alert", testid: "maker-refused" }, say(message) || t("maker.fault")),
    button("main", "maker-touch-starts", t("maker.touch-starts"), go),
  ];
}

/** @type {(maker: Maker, isBusy: boolean) => (false | HTMLButtonElement)[]} */
function takers(maker, isBusy) {
  const more = { disabled: isBusy };
  return [
    button("wide", "maker-take", t("maker.take-photo"), () => maker.pick(), more),
    maker.session.camera && button("wide", "maker-frame", t("maker.take-frame"), () => maker.shoot(), more),
  ];
}

/** @param {number} progress */
function finding(progress) {
  const bar = h("progress", { max: 1, value: progress, testid: "maker-progress" });
  bar.setAttribute("aria-label", t("maker.finding"));
  return [h("p", { role: "status" }, t("maker.finding")), bar];
}

/** @type {(maker: Maker, state: MakerState) => (false | HTMLButtonElement | HTMLDivElement)[]} */
function starts(maker, { zones, starts: touched, middle, isBusy }) {
  const back = () => maker.store.dispatch({ type: "went", step: "photos" });
  const isDone = touched.length === zones;
  return [
    choices(
      "maker.zones",
      ZONES,
      zones,
      (count) => maker.store.dispatch({ type: "zones", zones: count }),
      (count) => [String(count)],
      "maker-zones",
    ),
    h("p", { role: "status" }, t("maker.starts-how", { n: Math.min(zones, touched.length + 1), all: zones })),
    isDone && h("p", t("maker.middle")),
    isDone &&
      choices(
        "maker.middle",
        [true, false],
        middle,
        (on) => maker.store.dispatch({ middle: on }),
        (on) => t(on ? "maker.yes" : "maker.no"),
        "maker-middle",
      ),
    isDone && button("main", "maker-find", t("maker.find"), () => maker.find(), { disabled: isBusy }),
    isDone && h("p.hint-line", t("maker.draw-what")),
    isDone && button("wide", "maker-draw", t("maker.draw"), () => maker.redraw(), { disabled: isBusy }),
    touched.length > 0 &&
      button("wide", "maker-untouch", t("maker.untouch"), () => maker.store.dispatch({ type: "untouched" })),
    zoomButton(maker),
    button("quiet", "maker-back", t("maker.back"), back),
  ];
}

function check(/** @type {Maker} */ maker, /** @type {MakerState} */ { made, isBusy }) {
  const checked = made?.checked;
  const go = (/** @type {MakerStep} */ step) => () => maker.store.dispatch({ type: "went", step });
  const isAll = Boolean(checked && checked.count === checked.of);
  return [
    !isAll && h("p", t("maker.check-how")),
    isBusy && h("p", { role: "status" }, t("maker.checking")),
    checked &&
      h(
        "p",
        { class: isAll ? "good" : "bad", role: "status", testid: "maker-checked" },
        checkedWords(checked),
      ),
    checked && !isAll && checked.found && campRows(made),
    isAll && button("main", "maker-name-it", t("maker.name-it"), go("name")),
    maker.session.camera &&
      button("wide", "maker-check-frame", t("maker.check-frame"), () => maker.shoot(), { disabled: isBusy }),
    button("wide", "maker-check-photo", t("maker.check-photo"), () => maker.pick(), { disabled: isBusy }),
    !isAll && button("quiet", "maker-skip-check", t("maker.skip-check"), go("name")),
    button("quiet", "maker-back-mend", t("maker.back-mend"), go("mend")),
  ];
}

/** @param {{ found: boolean, count: number, of: number }} checked */
function checkedWords({ found, count, of }) {
  return found ? t("maker.checked", { n: count, all: of }) : t("maker.not-found");
}

/** @param {NonNullable<MakerState["made"]>} made */
function campRows({ board, checked }) {
  const rows = Object.entries(checked?.seen ?? {}).map(([seat, count]) =>
    h(
      "li",
      h("span", tNamed("color.", board?.colors[seat] ?? "grey")),
      " ",
      h("b", t("maker.of-four", { n: count })),
    ),
  );
  return h("ul.seats", rows);
}
