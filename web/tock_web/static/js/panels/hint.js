// Advice for the own turn: first which card, then which move and why; after the turn, what would have been best.

import { get, postSlow } from "../core/api.js";
import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName } from "./card.js";
import { granted } from "./toast.js";

const LEVELS = ["off", "nudge", "hint", "teacher"];

/** `point(best)` shows a move on the board, null takes it away. */
export function hintPanel(root, { point }) {
  let most = "off";
  let asking = false;
  let answer = null;
  let newest = null;
  let moment = "";
  const draw = drawer(root, panel);

  async function look() {
    const rules = await get("hints");
    if (rules.ok) most = rules.data.most;
    refresh();
  }

  async function ask(level) {
    if (asking) return;
    asking = true;
    refresh();
    const asked = moment;
    const reply = await postSlow("hint", { level });
    asking = false;
    // The table may have moved on while the companion was thinking.
    if (granted(reply) && asked === moment) {
      answer = reply.data;
      point(answer.best.text && level !== "nudge" ? answer.best : null);
    }
    refresh();
    look();
  }

  const allowed = (level) => LEVELS.indexOf(most) >= LEVELS.indexOf(level);

  function refresh() {
    if (newest)
      draw(
        [language(), most, asking, answer, newest.your_turn, newest.card, newest.expects, canCompare()],
        newest,
      );
  }

  function canCompare() {
    return !newest.your_turn && newest.history.some(({ seat }) => seat === newest.seat);
  }

  function panel(view) {
    const mine = view.your_turn && ["card", "move"].includes(view.expects);
    const level = view.card ? "hint" : "nudge";
    return h(
      "section",
      { class: "hint-panel", "aria-live": "polite" },
      mine && !answer && allowed(level) && button("hint", `hint-${level}`, level),
      !mine &&
        !answer &&
        allowed("teacher") &&
        canCompare() &&
        button("hint-teacher", "hint-teacher", "teacher"),
      answer && told(answer),
      answer?.level === "nudge" && allowed("hint") && button("hint-more", "hint-hint", "hint"),
    );
  }

  function button(testid, word, level) {
    return h(
      "button",
      { type: "button", class: "wide", testid, disabled: asking, onclick: () => ask(level) },
      t(asking ? "hint-thinking" : word),
    );
  }

  look();
  return (view) => {
    newest = view;
    const now = JSON.stringify([view.game.seq, view.card]);
    if (now !== moment) {
      moment = now;
      answer = null;
      point(null);
    }
    refresh();
  };
}

function told({ level, best, played, even }) {
  const verdict =
    level === "teacher" && h("p", { class: "hint-verdict" }, t(even ? "hint-good" : "hint-better"));
  return h(
    "div",
    { class: "hint-told", testid: "hint-told", "data-card": best.card, "data-move": best.text },
    verdict,
    played &&
      !even &&
      h(
        "p",
        { class: "hint-played" },
        t("hint-yours", { move: say(played.label), chance: percent(played.value) }),
      ),
    !(level === "teacher" && even) && move(best),
    best.reasons &&
      !(level === "teacher" && even) &&
      h(
        "ul",
        {},
        best.reasons.map((reason) => h("li", { "data-code": reason.code }, say(reason))),
      ),
  );
}

function move(best) {
  const play = () => (best.label ? say(best.label) : t("hint-this-card"));
  const label = best.doing === "play" ? play() : t(`hint-${best.doing}`);
  return h(
    "p",
    { class: "hint-move" },
    best.card &&
      h(
        "span",
        { class: "laid-card" },
        cardFace(best.card),
        h("span", { class: "out-of-sight" }, cardName(best.card)),
      ),
    h(
      "span",
      {},
      label,
      best.value !== undefined && h("small", {}, t("hint-chance", { chance: percent(best.value) })),
    ),
  );
}

function percent(value) {
  return String(Math.round(100 * value));
}
