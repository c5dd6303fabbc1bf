// Hints: first the card, then the move and its reasons; after the turn, the best alternative.

import { get, postSlow } from "../core/api.js";
import { button, h, icon } from "../core/dom.js";
import { Store, drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { NO_HINT, advisedMove, offered, reduceHint } from "../state/hint.js";
import { cardFace, cardName } from "./cards.js";
import { granted } from "./frame.js";

/** @import { DrawnMove, Advised, HintAnswer, HintLevel, SeatView } from "#types" */
/** @import { HintAction, HintState } from "../state/hint.js" */

/**
 * @param {HTMLElement} root
 * @param {(move: DrawnMove | null) => void} point shows a move on the board, or takes it away
 */
export function hintPanel(root, point) {
  /** @type {Store<HintState, HintAction>} */
  const store = new Store(reduceHint, NO_HINT, (state, before) => {
    if (state.answer !== before.answer) point(advisedMove(state));
    refresh();
  });
  const draw = drawer(root, () => {
    const { answer, isAsking } = store.state;
    return h(
      "section.hint-panel",
      { "aria-live": "polite" },
      answer && hintText(answer),
      askButton(offered(store.state), isAsking, ask),
    );
  });

  function refresh() {
    const { view, answer, isAsking } = store.state;
    if (view) draw([language(), offered(store.state), isAsking, answer]);
  }

  async function learnLimits() {
    const rules = await get("hints");
    if (rules.ok) store.dispatch({ type: "allowed", most: rules.data.most });
  }

  /** @param {HintLevel} level */
  async function ask(level) {
    if (store.state.isAsking) return;
    store.dispatch({ type: "asked" });
    const { moment, answer: before } = store.state;
    const reply = await postSlow("hint", { level });
    store.dispatch({ type: "answered", moment, answer: granted(reply) ? reply.data : before });
    learnLimits();
  }

  learnLimits();
  return (/** @type {SeatView} */ view) => store.dispatch({ type: "seen", view });
}

/** The label of each offer, and its level. */
const OFFERS = /** @type {const} */ ({
  nudge: { testid: "hint", word: "hint-nudge", level: "nudge" },
  hint: { testid: "hint", word: "hint-hint", level: "hint" },
  teacher: { testid: "hint-teacher", word: "hint-teacher", level: "teacher" },
  more: { testid: "hint-more", word: "hint-hint", level: "hint" },
});

/**
 * @param {keyof typeof OFFERS | null} offer
 * @param {boolean} isAsking
 * @param {(level: HintLevel) => void} ask
 */
function askButton(offer, isAsking, ask) {
  if (!offer) return null;
  const { testid, word, level } = OFFERS[offer];

  return button("wide", testid, [icon("hint"), t(isAsking ? "hint-thinking" : word)], () => ask(level), {
    disabled: isAsking,
  });
}

/** @param {HintAnswer} answer */
function hintText({ level, best, played, even }) {
  // A move as good as the best needs no other beside it.
  const isPraise = level === "teacher" && even;
  const verdict = level === "teacher" && h("p.hint-verdict", t(even ? "hint-good" : "hint-better"));
  const yours = played && !even && { move: withinSentence(say(played.label)), chance: percent(played.value) };
  const reasons = (best.reasons ?? []).map((reason) =>
    h("li", { "data-code": reason.code }, say(reason.text)),
  );
  return h(
    "div.hint-text",
    { testid: "hint-text", "data-card": best.card, "data-move": best.text },
    verdict,
    yours && h("p.hint-played", t("hint-yours", yours)),
    !isPraise && advice(best),
    !isPraise && best.reasons && h("ul", reasons),
  );
}

/** @param {Advised} best */
function advice(best) {
  const play = best.label ? say(best.label) : t("hint-this-card");
  const label = best.doing === "play" ? play : t(`hint-${best.doing}`);
  const chance = best.value !== undefined && h("small", t("hint-chance", { chance: percent(best.value) }));
  return h("p.hint-move", best.card && card(best.card), h("span", label, chance));
}

/** @param {string} name */
function card(name) {
  const words = h("span.out-of-sight", cardName(name));
  return h("span.laid-card", cardFace(name), words);
}

/** A sentence as a part of another one: "The red pawn" becomes "the red pawn". @param {string} text */
function withinSentence(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @param {number | undefined} share */
function percent(share) {
  return String(Math.round(100 * (share ?? 0)));
}
