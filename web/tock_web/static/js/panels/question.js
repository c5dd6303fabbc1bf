// A question of the referee: two explanations fit what was seen.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName, isCard } from "./card.js";

/** `answer(choice)` sends the answer; who may not answer reads the question without buttons. */
export function questionPanel(root, answer) {
  const draw = drawer(root, (question, mayAnswer) => {
    if (!question) return [];
    return h(
      "section",
      { class: "question", testid: "question", role: "group", "aria-labelledby": "question-text" },
      h("h2", { id: "question-text" }, say(question.sentence)),
      h(
        "div",
        { class: "choices" },
        mayAnswer
          ? question.choices.map(({ id, label }) =>
              h(
                "button",
                {
                  type: "button",
                  class: "big",
                  testid: "choice",
                  "data-choice": id,
                  onclick: () => answer(id),
                },
                isCard(id) ? [cardFace(id), cardName(id)] : say(label),
              ),
            )
          : h("p", {}, t("question-others")),
      ),
    );
  });
  return (view, mayAnswer) => draw([language(), view.question, mayAnswer], view.question, mayAnswer);
}
