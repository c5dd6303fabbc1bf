// Questions to people: from the referee, and about going back several turns.

import { button, h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName, isCard } from "./cards.js";
import { toast } from "./frame.js";
import { seatName } from "./seats.js";

/** @import { SeatStyles, ProposalInfo, Question, SeatView, View } from "#types" */
/** @import { Word } from "#types" */

/**
 * A question of the referee; those who may not answer see it without buttons.
 *
 * @param {HTMLElement} root
 * @param {SeatStyles} styles
 * @param {((choice: string) => void) | null} answer
 */
export function questionPanel(root, styles, answer) {
  const draw = drawer(
    root,
    (
      /** @type {Question | null} */ question,
      /** @type {boolean} */ mayAnswer,
      /** @type {string} */ name,
    ) => {
      if (!question) return [];
      const choices = question.choices.map(({ id, label }) =>
        button("big", "choice", isCard(id) ? [cardFace(id), cardName(id)] : say(label), () => answer?.(id), {
          "data-choice": id,
        }),
      );
      return h(
        "section.question",
        { testid: "question", role: "group", "aria-labelledby": "question-text" },
        h("h2", { id: "question-text" }, say(question.sentence)),
        h("div.choices", mayAnswer ? choices : h("p", t("question-others", { name }))),
      );
    },
  );
  return (/** @type {View} */ view, /** @type {boolean} */ mayAnswer) => {
    const asked = view.seats.find(({ seat }) => seat === view.question?.seat);
    const name = asked ? seatName(asked, styles) : "";
    draw([language(), view.question, mayAnswer, name], view.question, mayAnswer, name);
  };
}

/**
 * A proposal to take turns back; only people who are asked and have not answered yet can vote.
 * @type {(root: HTMLElement, vote?: ((number: number, yes: boolean) => void) | null) => (view: View) => void}
 */
export function proposalPanel(root, vote = null) {
  /** @type {(proposal: ProposalInfo | null, mayVote: boolean, isMine: boolean) => HTMLElement | never[]} */
  const section = (proposal, mayVote, isMine) => {
    if (!proposal) return [];
    const one = (/** @type {boolean} */ yes, /** @type {Word} */ word) => {
      const onclick = () => vote?.(proposal.number, yes);
      return button("big", yes ? "vote-yes" : "vote-no", t(word), onclick);
    };
    return h(
      "section.question",
      { testid: "proposal", role: "alert" },
      h("h2", say(proposal.sentence)),
      h("p", t("proposal-then")),
      !proposal.asked && h("p", t("proposal-waits", { n: proposal.waits_for.length })),
      mayVote && h("div.choices", one(true, "vote-yes"), one(false, "vote-no")),
      isMine && h("div.choices", one(false, "vote-withdraw")),
    );
  };
  const draw = drawer(root, section);
  /** @type {number | null} */
  let shown = null;
  return (/** @type {View} */ view) => {
    const proposal = view.proposal ?? null;
    const seat = view.role === "seat" ? view.seat : null;
    const isAsked = view.role === "host" || Boolean(seat && proposal?.waits_for.includes(seat));
    const mayVote = Boolean(vote && proposal && isAsked);
    draw(
      [language(), proposal, mayVote],
      proposal,
      mayVote,
      Boolean(vote && proposal && seat === proposal.by),
    );
    // Players who have scrolled down to the hand, or come from the replay, would not see it.
    if (proposal && proposal.number !== shown) root.scrollIntoView({ block: "nearest" });
    shown = proposal?.number ?? null;
  };
}

/**
 * Say so when the player's own proposal was refused.
 * @type {(before: SeatView | null, view: SeatView) => void}
 */
export function tellRefused(before, view) {
  const asked = before?.proposal;
  if (!asked || asked.by !== view.seat || view.proposal) return;
  if (before.history.length === view.history.length && view.guidance?.code !== "taken_back")
    toast(t("proposal-refused"));
}
