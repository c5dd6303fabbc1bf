// Questions to people: from the referee, about going back several turns, about a taken seat.

import { pawnIcon } from "../board/shapes.js";
import { get, post } from "../core/api.js";
import { h } from "../core/dom.js";
import { drawer } from "../core/store.js";
import { language, say, t } from "../core/words.js";
import { cardFace, cardName, isCard } from "./cards.js";
import { granted, toast } from "./frame.js";
import { colorName, seatName } from "./seats.js";

/** @import { CardsRequest, HostView, Lang, Looks, ProposalInfo, Question, SeatName, SeatRequest, SeatView, View } from "#types" */
/** @import { Word } from "#types" */

const AGAIN_MS = 1_500;

/**
 * A question of the referee; those who may not answer see it without buttons.
 *
 * @param {HTMLElement} root
 * @param {Looks} looks
 * @param {((choice: string) => void) | null} answer
 */
export function questionPanel(root, looks, answer) {
  const draw = drawer(
    root,
    (
      /** @type {Question | null} */ question,
      /** @type {boolean} */ mayAnswer,
      /** @type {string} */ name,
    ) => {
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
        h("div", { class: "choices" }, mayAnswer ? choices : h("p", {}, t("question-others", { name }))),
      );
    },
  );
  return (/** @type {View} */ view, /** @type {boolean} */ mayAnswer) => {
    const asked = view.seats.find(({ seat }) => seat === view.question?.seat);
    const name = asked ? seatName(asked, looks) : "";
    draw([language(), view.question, mayAnswer, name], view.question, mayAnswer, name);
  };
}

/**
 * A proposal to take turns back; only those who are asked and have not answered yet can vote.
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
      h("p", {}, t("proposal-then")),
      !proposal.asked && h("p", {}, t("proposal-waits", { n: proposal.waits_for.length })),
      mayVote && h("div", { class: "choices" }, button(true, "vote-yes"), button(false, "vote-no")),
      isMine && h("div", { class: "choices" }, button(false, "vote-withdraw")),
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
    // Whoever has scrolled down to the hand, or comes from the replay, would not see it.
    if (proposal && proposal.number !== shown) root.scrollIntoView({ block: "center" });
    shown = proposal?.number ?? null;
  };
}

/**
 * Say so when a proposal of one's own was refused.
 *
 * @param {SeatView | null} before
 * @param {SeatView} view
 */
export function tellRefused(before, view) {
  const asked = before?.proposal;
  if (!asked || asked.by !== view.seat || view.proposal) return;
  if (before.history.length === view.history.length && view.guidance?.code !== "taken_back")
    toast(t("proposal-refused"));
}

/**
 * Requests for taken seats, which the holder or the host grants or refuses.
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
 * Whoever sits where this phone told its cards: may they see them? Asked anew whenever somebody sits down.
 *
 * @param {HTMLElement} root
 * @param {Looks} looks
 * @param {CardsRequest[]} first those of when the page was opened
 */
export function cardsRequestsPanel(root, looks, first) {
  let requests = first;
  let people = "";
  const answer = async (/** @type {number} */ number, /** @type {boolean} */ yes) => {
    granted(await post("join/show", { number, yes }));
    await refresh();
  };
  const section = (/** @type {CardsRequest} */ { number, seat, name }) => {
    const button = (/** @type {boolean} */ yes) =>
      h(
        "button",
        {
          type: "button",
          class: yes ? "wide" : "main",
          testid: yes ? "cards-yes" : "cards-no",
          onclick: () => answer(number, yes),
        },
        t(yes ? "cards-request-yes" : "cards-request-no"),
      );
    const sentence = t("cards-request", { name, color: colorName(seat, looks) });
    return h(
      "section",
      { class: "question", testid: "cards-request", role: "alert" },
      h("h2", { class: "with-icon" }, pawnIcon(looks.get(seat)), h("span", {}, sentence)),
      h("div", { class: "choices" }, button(false), button(true)),
    );
  };
  const draw = drawer(root, () => requests.map(section));
  const show = () => draw([language(), requests]);
  const refresh = async () => {
    const session = await get("session");
    if (!session.ok) return;
    requests = session.data.cards_requests;
    show();
  };
  return (/** @type {View} */ view) => {
    const now = JSON.stringify(view.seats.map(({ name, taken }) => [name, taken]));
    if (people && people !== now) refresh();
    people = now;
    show();
  };
}

/**
 * Ask for a taken seat, show the outcome in `root`, and open the seat's page once it is granted.
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
