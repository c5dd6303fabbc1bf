// What people are asked: by the referee, by somebody who wants to go back, by somebody who wants a seat.

import { pawnIcon } from "../board/shapes.js";
import { post } from "../core/api.js";
import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName, isCard } from "./cards.js";
import { granted } from "./frame.js";
import { colorName } from "./seats.js";

/** @import { HostView, Lang, Looks, ProposalInfo, Question, SeatName, SeatRequest, SeatView, View } from "#types" */
/** @import { Word } from "#types" */

const AGAIN_MS = 1_500;

/**
 * Two explanations fit what was seen. Those who may not answer read the question without buttons.
 *
 * @param {HTMLElement} root
 * @param {((choice: string) => void) | null} answer
 */
export function questionPanel(root, answer) {
  const draw = drawer(root, (/** @type {Question | null} */ question, /** @type {boolean} */ mayAnswer) => {
    if (!question) return [];
    const choices = question.choices.map(({ id, label }) =>
      h(
        "button",
        { type: "button", class: "big", testid: "choice", "data-choice": id, onclick: () => answer?.(id) },
        isCard(id) ? [cardFace(id), cardName(id)] : say(label),
      ),
    );
    return h(
      "section",
      { class: "question", testid: "question", role: "group", "aria-labelledby": "question-text" },
      h("h2", { id: "question-text" }, say(question.sentence)),
      h("div", { class: "choices" }, mayAnswer ? choices : h("p", {}, t("question-others"))),
    );
  });
  return (/** @type {View} */ view, /** @type {boolean} */ mayAnswer) =>
    draw([language(), view.question, mayAnswer], view.question, mayAnswer);
}

/**
 * Somebody proposes to go back several turns: those who have not answered yet say yes or no, others read it.
 *
 * @param {HTMLElement} root
 * @param {((number: number, yes: boolean) => void) | null} [vote]
 */
export function proposalPanel(root, vote = null) {
  /**
   * @param {ProposalInfo | null} proposal
   * @param {boolean} mayVote
   * @param {boolean} isMine
   */
  const section = (proposal, mayVote, isMine) => {
    if (!proposal) return [];
    const button = (/** @type {boolean} */ yes, /** @type {Word} */ word) => {
      const onclick = () => vote?.(proposal.number, yes);
      return h(
        "button",
        { type: "button", class: "big", testid: yes ? "vote-yes" : "vote-no", onclick },
        t(word),
      );
    };
    return h(
      "section",
      { class: "question", testid: "proposal", role: "alert" },
      h("h2", {}, say(proposal.sentence)),
      h("p", {}, t("proposal-waits", { n: proposal.waits_for.length })),
      mayVote && h("div", { class: "choices" }, button(true, "vote-yes"), button(false, "vote-no")),
      isMine && h("div", { class: "choices" }, button(false, "vote-withdraw")),
    );
  };
  const draw = drawer(root, section);
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
  };
}

/**
 * Somebody asks for a seat that is taken: its holder or the host says yes or no.
 *
 * @param {HTMLElement} root
 * @param {Looks} looks
 * @param {(number: number, yes: boolean) => void} answer
 */
export function seatRequestsPanel(root, looks, answer) {
  /**
   * @param {SeatRequest} request
   * @param {SeatName | null} ownSeat
   */
  const section = ({ number, seat, name }, ownSeat) => {
    const mine = ownSeat === seat;
    const look = looks.get(seat);
    const sentence = t(mine ? "seat-request-mine" : "seat-request-other", {
      name,
      color: colorName(seat, looks),
    });
    const button = (/** @type {boolean} */ yes, /** @type {Word} */ word) => {
      const [className, testid] = yes ? ["wide", "seat-yes"] : ["main", "seat-no"];
      return h(
        "button",
        { type: "button", class: className, testid, onclick: () => answer(number, yes) },
        t(word),
      );
    };
    return h(
      "section",
      { class: "question", testid: "seat-wish", role: "alert" },
      h("h2", { class: "with-icon" }, pawnIcon(look), h("span", {}, sentence)),
      h(
        "div",
        { class: "choices" },
        button(false, "seat-request-no"),
        button(true, mine ? "seat-request-yes" : "seat-request-yes-host"),
      ),
    );
  };
  const draw = drawer(root, (/** @type {SeatRequest[]} */ requests, /** @type {SeatName | null} */ seat) =>
    requests.map((request) => section(request, seat)),
  );
  return (/** @type {SeatView | HostView} */ view) => {
    const seat = view.role === "seat" ? view.seat : null;
    draw([language(), view.wishes, seat], view.wishes ?? [], seat);
  };
}

/**
 * Ask for a seat that is taken, tell in `root` how it stands, and go to the seat after a yes.
 *
 * @param {HTMLElement} root
 * @param {{ name: string, seat: SeatName, lang: Lang }} wanted
 */
export async function askForSeat(root, wanted) {
  const asked = await post("join/ask", wanted);
  if (!granted(asked)) return;
  root.textContent = t("join-waiting");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    const heard = await post("join/hear", { secret: asked.data.secret });
    const state = heard.ok ? heard.data.state : "waiting";
    if (state === "seated") {
      location.assign("/seat");
      return;
    }
    if (state === "refused") {
      root.textContent = t("join-refused");
      return;
    }
  }
}
