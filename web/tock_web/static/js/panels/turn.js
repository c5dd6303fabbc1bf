// The sentence by the board, and warnings: the mistake, its rule, and the repair.

import { pawnIcon } from "../board/shapes.js";
import { button, h } from "../core/dom.js";
import { line } from "../core/line.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { cardFace } from "./cards.js";
import { isHost } from "../state/me.js";
import { arrived } from "./frame.js";

/** @import { GameInfo, GuidanceInfo, SeatStyles, PublicView, RepairStep, SeatView, View, BoardWarning, Children } from "#types" */

const ROOMY = matchMedia("(min-width: 760px) and (min-height: 500px)");

/** The player to move and the expected action. */
export function turnPanel(/** @type {HTMLElement} */ root, /** @type {SeatStyles} */ styles) {
  const draw = drawer(root, (/** @type {PublicView} */ view, /** @type {boolean} */ isMine) => {
    const style = styles.get(view.to_move);
    const over = view.expects === "over";
    return [
      h("span.turn-seat", style && pawnIcon(style)),
      // The seat's code, for scripts; people read the name.
      h("span.out-of-sight", { "aria-hidden": "true" }, view.to_move),
      h(
        "span.turn-text",
        h("span.turn-sentence", say(view.sentence)),
        over && !view.practice && !line.isRemote && h("a", { href: "/host" }, t("over-next")),
      ),
      view.card && !isMine && h("span.turn-card", cardFace(view.card)),
    ];
  });
  return (/** @type {PublicView & Partial<Pick<SeatView, "your_turn">>} */ view) => {
    const isMine = Boolean(view.your_turn);
    draw([language(), view.to_move, view.sentence, isMine, view.expects, view.card], view, isMine);
    root.style.setProperty("--seat", styles.get(view.to_move)?.fill ?? "");
    root.dataset.expects = view.expects;
    root.classList.toggle("mine", isMine);
  };
}

/**
 * A mistake, or an unfinished move; both disappear by themselves.
 *
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {(() => void) | null} [letPass] lets it stand, where friends play; null for those who only look
 * @param {(() => void) | null} [accept] takes the board as it is seen, which only the host may
 */
export function warningPanel(root, styles, letPass = null, accept = null) {
  /** Steps that the repair began with: one that was longer keeps its count. */
  let most = 0;
  /**
   * @param {BoardWarning | null} warning
   * @param {GuidanceInfo | null} guidance
   * @param {GameInfo} game
   * @param {boolean} isMine
   * @param {boolean} hosts
   */
  const sections = (warning, guidance, game, isMine, hosts) => {
    if (!warning) return guidance ? [calmly(guidance, styles, game)] : [];
    const breaks = warning.breaks ?? [];
    const isCalm = warning.tone === "calm";
    const bang = h("span.bang", { "aria-hidden": "true" }, isCalm ? "i" : "!");
    const passing = warning.may_pass && letPass && button("wide", "let-pass", t("let-pass"), letPass);
    const sentence = say(isMine ? warning.message : warning.others);
    if (isMany(warning))
      return manyWrong(warning, bang, passing, hosts ? accept : null, isCalm ? sentence : "");
    const className = isCalm ? "warning calm" : "warning";
    return h(
      "section",
      { class: className, testid: "warning", role: "alert", "data-breaks": breaks.join(" ") },
      h("h2", t(isCalm ? "calm-title" : "warning-title")),
      h("p.warning-message", bang, h("span", sentence)),
      repair(warning.repair ?? [], styles, most),
      otherwise(warning, styles),
      nearest(warning),
      passing,
      breaks.length > 0 && rules(breaks, game, hosts),
    );
  };
  const draw = drawer(root, sections);
  return (/** @type {View} */ view) => {
    most = view.warning ? Math.max(most, view.warning.repair?.length ?? 0) : 0;
    const guidance = view.guidance ?? null;
    const isMine = view.role === "seat" && view.seat === view.warning?.seat;
    const hosts = isHost(view);
    const shown = [language(), view.warning, guidance, most, isMine, hosts];
    draw(shown, view.warning, guidance, view.game, isMine, hosts);
  };
}

/**
 * An unfinished move, in a colour that alarms nobody.
 * @type {(guidance: GuidanceInfo, styles: SeatStyles, game: GameInfo) => HTMLElement}
 */
function calmly(guidance, styles, game) {
  const sign = h("span.bang", { "aria-hidden": "true" }, "i");
  return h(
    "section.warning.calm",
    { testid: "guidance", role: "status", "data-code": guidance.code },
    h("p.warning-message", sign, h("span", say(guidance.sentence))),
    guidance.steps.length > 1 && steps([...guidance.steps], "guidance-step", styles),
    guidance.breaks.length > 0 && rules([...guidance.breaks], game, false),
  );
}

/**
 * The broken rules; a tap shows them in plain words.
 * @type {(breaks: string[], game: GameInfo, isHost: boolean) => HTMLDivElement}
 */
function rules(breaks, game, hosts) {
  const text = h("ul.rule-text", { testid: "rule-text", "aria-live": "polite" });
  const tell = async () => {
    const found = await arrived(import("./why.js"));
    await found?.explain(opener, text, breaks, game, hosts);
  };
  const opener = button("ref", "rule-ref", t("rule"), tell, { "aria-expanded": "false" });
  return h("div.refs", opener, text);
}

/**
 * The shortest way to a correct board.
 *
 * @param {RepairStep[]} way
 * @param {SeatStyles} styles
 * @param {number} most
 */
function repair(way, styles, most) {
  if (!way.length) return null;
  const heading =
    most > 1
      ? h("p.repair-at", { testid: "repair-at" }, t("repair-at", { n: way.length }))
      : h("p.repair-title", title("repair", way));
  return [heading, steps(way, "repair-step", styles)];
}

/**
 * The other way to a correct board; folded on phones, where the board must stay in sight.
 * @type {(warning: BoardWarning, styles: SeatStyles) => HTMLDetailsElement | null}
 */
function otherwise({ otherwise: way, leads_on: leadsOn }, styles) {
  if (!way.length || way.length > MAX_STEPS_LISTED) return null;
  const summary = h("summary", leadsOn ? t("go-back", { n: way.length }) : title("go-on", way));
  return h("details.otherwise", { open: ROOMY.matches }, summary, steps(way, "other-step", styles));
}

/** @type {(kind: "repair" | "go-on", way: RepairStep[]) => string} */
function title(kind, way) {
  return t(`${kind}-${way.length > 1 ? "many" : "one"}`, { n: way.length });
}

/** @type {(way: RepairStep[], testid: string, styles: SeatStyles) => HTMLOListElement} */
function steps(way, testid, styles) {
  const items = way.map((step) =>
    h(
      "li",
      { testid, "data-from": step.from_hole, "data-to": step.to_hole },
      pawnIcon(styles.get(step.seat)),
      h("span", say(step.sentence)),
    ),
  );
  return h("ol.repair", items);
}

/** @param {BoardWarning} warning */
function nearest(warning) {
  if (warning.otherwise.length) return null;
  const labels = (warning.nearest ?? []).map(({ label }) => say(label)).filter(Boolean);
  if (!labels.length) return null;
  return h("p.nearest", t("nearest"), " ", h("em", labels.join(" / ")));
}

/** The target of the undo button: a laid card first, then the own move, or somebody else's if they agree. */
export function undoWord(/** @type {SeatView} */ view) {
  if (view.card) return t("undo-card");
  const mover = view.seats.find(({ seat }) => seat === view.undo_asks);
  return mover ? t("undo-ask", { name: mover.name }) : t("undo");
}

/** More misplaced pawns than this make one sentence: nobody reads a list of eight gestures. */
const MAX_STEPS_LISTED = 3;

/** @param {BoardWarning} warning */
function isMany({ repair: way }) {
  return way.length > MAX_STEPS_LISTED;
}

/**
 * One sentence, and the host's way out.
 *
 * @param {BoardWarning} warning
 * @param {HTMLElement} bang
 * @param {Children} passing the button that lets it pass
 * @param {(() => void) | null} accept
 * @param {string} calm what to do where nobody erred, as when a move is taken back
 */
function manyWrong(warning, bang, passing, accept, calm) {
  return h(
    "section",
    { class: calm ? "warning calm" : "warning", testid: "warning", role: "alert", "data-breaks": "" },
    h(
      "p.warning-message",
      bang,
      h("span", { testid: "many-wrong" }, calm && `${calm} `, t("many-wrong", { n: warning.repair.length })),
    ),
    passing,
    !calm && accept && button("wide", "accept-here", t("accept-board"), accept),
  );
}
