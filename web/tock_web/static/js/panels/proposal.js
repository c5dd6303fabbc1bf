// Somebody proposes to go back several turns: who has not answered yet says yes or no.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";

/** `vote(number, yes)` sends the answer; who may not vote reads what is proposed. */
export function proposalPanel(root, vote = null) {
  const draw = drawer(root, (proposal, mayVote, isMine) => {
    if (!proposal) return [];
    const button = (yes, word) =>
      h(
        "button",
        {
          type: "button",
          class: "big",
          testid: yes ? "vote-yes" : "vote-no",
          onclick: () => vote(proposal.number, yes),
        },
        t(word),
      );
    return h(
      "section",
      { class: "question", testid: "proposal", role: "alert" },
      h("h2", {}, say(proposal.sentence)),
      h("p", {}, t("proposal-waits", { n: proposal.waits_for.length })),
      mayVote && h("div", { class: "choices" }, button(true, "vote-yes"), button(false, "vote-no")),
      isMine && h("div", { class: "choices" }, button(false, "vote-withdraw")),
    );
  });
  return (view) => {
    const proposal = view.proposal ?? null;
    const mayVote = Boolean(
      vote && proposal && (view.role === "host" || proposal.waits_for.includes(view.seat)),
    );
    draw(
      [language(), proposal, mayVote],
      proposal,
      mayVote,
      Boolean(vote && proposal && view.seat === proposal.by),
    );
  };
}
