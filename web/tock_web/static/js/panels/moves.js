// The laid card and its legal moves as large buttons, numbered like the targets on the board.

import { drawer, h } from "../core/dom.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName } from "./card.js";

/** Actions: `choose(number)` points at a move, `play(move)` plays it by touch, `wish(kind, data)` sends the rest. */
export function movesPanel(root, { choose, play, wish }) {
  const draw = drawer(root, (view, chosen) => {
    if (!view.your_turn || !view.card) return view.can_end_turn ? [endTurn(wish)] : [];
    const moves = view.legal_moves ?? [];
    const single = moves.length === 1;
    return [
      h(
        "div",
        { class: "laid" },
        h("span", { class: "laid-card" }, cardFace(view.card), h("span", {}, cardName(view.card))),
      ),
      h("h2", {}, heading(view, moves, single)),
      h(
        "ol",
        { class: "moves" },
        moves.map((move, index) =>
          h("li", {}, moveButton(view, move, index, { chosen, numbered: !single, choose, play })),
        ),
      ),
      view.can_discard &&
        h(
          "button",
          {
            type: "button",
            class: "big",
            testid: "discard",
            onclick: () => wish("discard", { card: view.card }),
          },
          t("discard"),
        ),
    ];
  });
  return (view, chosen) => {
    const {
      your_turn: mine,
      card,
      legal_moves: moves,
      by_touch: touch,
      can_discard: discard,
      can_end_turn: end,
    } = view;
    draw([language(), mine, card, moves, touch, discard, end, chosen], view, chosen);
  };
}

function heading(view, moves, single) {
  if (!moves.length) return t("no-move");
  if (view.by_touch) return t(single ? "touch-one" : "touch-many");
  return t(single ? "make-one" : "make-many", { n: moves.length });
}

function moveButton(view, move, index, { chosen, numbered, choose, play }) {
  const isChosen = chosen === index;
  // A swap of two pawns of one colour changes nothing that a camera sees: it is told by touch.
  const touch = view.by_touch || move.by_touch;
  return h(
    "button",
    {
      type: "button",
      class: isChosen ? "move chosen" : "move",
      testid: "legal-move",
      "data-move": move.text,
      "aria-pressed": touch ? null : String(isChosen),
      onclick: () => (touch ? play(move) : choose(isChosen ? null : index)),
    },
    numbered && h("span", { class: "move-number" }, String(index + 1)),
    h("span", { class: "move-label" }, say(move.label)),
  );
}

function endTurn(wish) {
  return h(
    "button",
    { type: "button", class: "big", testid: "end-turn", onclick: () => wish("end_turn") },
    t("end-turn"),
  );
}
