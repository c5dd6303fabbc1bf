// The camera learns the empty board and the pawns' colours, in the light of the room.

import { postSlow } from "../core/api.js";
import { h } from "../core/dom.js";
import { say, t } from "../core/words.js";

/** Return a step of the wizard: its words, what they depend on, whether it is done. */
export function colorsStep(looks, changed) {
  let [busy, answer] = [null, null];

  async function learn(shows) {
    [busy, answer] = [shows, null];
    changed();
    const { ok, data } = await postSlow("camera/learn", { shows });
    [busy, answer] = [null, { ok, shows, message: data?.message, ...data?.data }];
    changed();
  }

  function result() {
    if (!answer.ok)
      return [
        h(
          "p",
          { class: "bad", role: "status", testid: "colors-answer" },
          say(answer.message) || t("connection.lost"),
        ),
      ];
    const color = (seat) => t(`color.${looks.get(seat).color}`);
    // Before the pawns were shown, that they are missing is no news.
    const weak = answer.shows === "camps" ? answer.weak : [];
    return [
      h(
        "p",
        { class: "good", role: "status", testid: "colors-answer" },
        t(`wizard-learned-${answer.shows}`, { n: Math.round(100 * answer.score) }),
      ),
      weak.map(({ code, seats }) =>
        h(
          "p",
          { class: "bad", testid: `weak-${code}` },
          t(`wizard-weak.${code}`, { names: seats.map(color).join(" + ") }),
        ),
      ),
      !answer.kept && h("p", { class: "hint-line" }, t("wizard-not-kept")),
    ].flat();
  }

  return {
    key: () => [busy, answer],
    done: () => Boolean(answer?.ok) && answer.shows === "camps",
    words: () => [
      ["empty", "camps"].map((shows) =>
        h(
          "button",
          {
            type: "button",
            class: "wide",
            testid: `learn-${shows}`,
            disabled: Boolean(busy),
            onclick: () => learn(shows),
          },
          t(busy === shows ? "wizard-learning" : `wizard-learn-${shows}`),
        ),
      ),
      answer && result(),
    ],
  };
}
