// State of a player's phone, changed by taps, views and answers.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as hand from "../tock_web/static/js/state/hand.js";
import * as hint from "../tock_web/static/js/state/hint.js";
import * as seat from "../tock_web/static/js/state/seat.js";
import { after, move, seatView, UNKNOWN_HAND } from "./views.mjs";

/** @import { HintAnswer, PhotographedCard } from "#types" */

const text = { fr: "", en: "" };

describe("a seat", () => {
  const moves = [move("T4", "T10"), move("T4", "T14")];
  const view = seatView({ card: "6H", legal_moves: moves });
  const chosen = after(seat.reduceSeat, seat.NO_SEAT, { type: "seen", view }, { type: "chosen", index: 1 });

  test("keeps pointing at a move as long as the moves are the same", () => {
    const later = { ...view, revision: 2, history: [] };
    assert.equal(after(seat.reduceSeat, chosen, { type: "seen", view: later }).chosen, 1);
    const other = { ...view, legal_moves: [moves[0]] };
    assert.equal(after(seat.reduceSeat, chosen, { type: "seen", view: other }).chosen, null);
    const laid = { ...view, card: "6S" };
    assert.equal(after(seat.reduceSeat, chosen, { type: "seen", view: laid }).chosen, null);
  });

  test("ends a turn by tap only where the board shows a move that nobody has judged yet", () => {
    const moved = seatView({
      sources: [{ name: "camera", condition: "ok", note: false, sentence: text }],
      seen: { T4: { state: "empty", seat: null }, T8: { state: "pawn", seat: "P0" } },
    });
    const may = (/** @type {Partial<import("#types").SeatView>} */ changes) =>
      seat.mayFinish({ ...moved, ...changes });
    assert.ok(may({}));
    assert.ok(!may({ seen: {} }), "the board shows what the game has");
    assert.ok(!may({ seen: { T4: { state: "unknown", seat: null } } }), "a hand is over it");
    assert.ok(!may({ sources: [] }), "nothing sees the board");
    assert.ok(!may({ game: { ...moved.game, paused: true } }));
    assert.ok(
      !may({
        lobby: {
          players: 2,
          counts: [2],
          chosen: null,
          computers: null,
          team_sizes: [1],
          team_size: 1,
          team_chosen: null,
          last: [],
        },
      }),
    );
    const other = { to_move: "P1", your_turn: false };
    assert.ok(may(other), "nobody holds a phone for the seat to move");
    const seats = moved.seats.map((entry) => ({ ...entry, taken: true }));
    assert.ok(!may({ ...other, seats }), "it is somebody else's move");
  });

  test("adds choices in the lobby up until a view comes that may show them", () => {
    const wanted = after(
      seat.reduceSeat,
      chosen,
      { type: "wanted", choice: { players: 3 } },
      { type: "wanted", choice: { computers: "easy" } },
    );
    assert.deepEqual(wanted.wanted, { players: 3, computers: "easy" });
    assert.deepEqual(after(seat.reduceSeat, wanted, { type: "seen", view }).wanted, {});
    const asking = after(seat.reduceSeat, wanted, {
      type: "waiting",
      pending: ['["prepare",{"players":3}]'],
    });
    const before = after(seat.reduceSeat, asking, { type: "seen", view });
    assert.deepEqual(before.wanted, wanted.wanted, "that view may be older than the choice");
  });

  test("shows a hint like a chosen move, unless the player points at one", () => {
    const known = { ...chosen, chosen: null, hinted: moves[1] };
    assert.deepEqual(seat.boardOf(view, known), { view, chosen: 1 });
    assert.deepEqual(seat.boardOf(view, { ...known, chosen: 0 }), { view, chosen: 0 });
    const foreign = move("T20", "T21");
    const shown = seat.boardOf(view, { ...known, hinted: foreign });
    assert.deepEqual([shown.view.legal_moves, shown.chosen], [[foreign], 0]);
  });

  test("a tap means the nearest target, another tap the next one within reach", () => {
    const distances = [30, 5, 12];
    assert.equal(seat.tappedMove(distances, 20, null), 1);
    assert.equal(seat.tappedMove(distances, 20, 1), 2);
    assert.equal(seat.tappedMove(distances, 20, 2), 1);
    assert.equal(seat.tappedMove(distances, 4, 1), null);
  });
});

describe("a hand being entered", () => {
  const begun = after(hand.reduceEditor, hand.CLOSED_EDITOR, {
    type: "begun",
    hand: UNKNOWN_HAND,
    missing: 4,
  });

  test("wants as many cards as were dealt, or those known and the drawn ones", () => {
    assert.deepEqual([begun.cards, begun.wanted], [[], 4]);
    const known = { ...UNKNOWN_HAND, cards: [{ card: "6H", moves: 1 }], missing: 2 };
    assert.equal(after(hand.reduceEditor, begun, { type: "begun", hand: known, missing: 2 }).wanted, 3);
    const complete = { ...known, missing: 0 };
    assert.equal(after(hand.reduceEditor, begun, { type: "begun", hand: complete, missing: 4 }).wanted, 1);
  });

  test("a second tap takes a card back, with two packs only the third", () => {
    const tap = { type: /** @type {const} */ ("tapped"), card: "6H" };
    assert.deepEqual(after(hand.reduceEditor, begun, tap).cards, ["6H"]);
    assert.deepEqual(after(hand.reduceEditor, begun, tap, tap).cards, []);
    const twoPacks = { ...begun, packs: 2 };
    assert.deepEqual(after(hand.reduceEditor, twoPacks, tap, tap).cards, ["6H", "6H"]);
    assert.deepEqual(after(hand.reduceEditor, twoPacks, tap, tap, tap).cards, []);
  });

  test("an answer about a photo changes one card in its place, or takes it out", () => {
    const read = after(hand.reduceEditor, begun, { type: "chosen", cards: ["6H", "8S", "6H"] });
    assert.deepEqual(after(hand.reduceEditor, read, { type: "swapped", card: "8S", other: "3S" }).cards, [
      "6H",
      "3S",
      "6H",
    ]);
    assert.deepEqual(after(hand.reduceEditor, read, { type: "swapped", card: "6H", other: null }).cards, [
      "8S",
      "6H",
    ]);
    const unknown = after(hand.reduceEditor, read, { type: "swapped", card: "2C", other: "3C" });
    assert.deepEqual(unknown.cards, read.cards);
  });

  test("a closed editor takes no cards", () => {
    const closed = after(hand.reduceEditor, begun, { type: "closed" }, { type: "chosen", cards: ["6H"] });
    assert.equal(closed.cards, null);
  });

  test("a new deal takes two taps", () => {
    const once = after(hand.reduceHand, hand.COVERED, { type: "dealTapped" });
    assert.equal(once.asksToDeal, true);
    assert.equal(after(hand.reduceHand, once, { type: "dealTapped" }).asksToDeal, false);
  });
});

describe("a photo of the hand", () => {
  /** @type {PhotographedCard[]} */
  const cards = [
    { card: "6H", choices: [], reason: "" },
    { card: "8S", choices: ["8S", "3S"], reason: "unsure" },
  ];
  const sent = after(hand.reducePhoto, hand.NO_PHOTO, { type: "sent" });

  test("asks only about the cards that are in doubt", () => {
    const read = after(hand.reducePhoto, sent, { type: "read", round: sent.round, cards, unread: 1 });
    assert.deepEqual([read.isReading, read.questions, read.unread], [false, [cards[1]], 1]);
    assert.deepEqual(after(hand.reducePhoto, read, { type: "answered", question: cards[1] }).questions, []);
  });

  test("that is answered after another one was taken counts no more", () => {
    const again = after(hand.reducePhoto, sent, { type: "forgotten" }, { type: "sent" });
    assert.equal(
      after(hand.reducePhoto, again, { type: "read", round: sent.round, cards, unread: 1 }),
      again,
    );
  });
});

describe("a hint", () => {
  /** @type {HintAnswer} */
  const answer = {
    ok: true,
    level: "hint",
    best: { doing: "play", card: "6H", text: "P0:T4>T10", targets: ["T10"], arrows: [] },
  };
  const seen = after(
    hint.reduceHint,
    hint.NO_HINT,
    { type: "allowed", most: "teacher" },
    { type: "seen", view: seatView() },
  );

  test("names a card before one is laid and a move after it", () => {
    assert.equal(hint.offered(seen), "nudge");
    assert.equal(
      hint.offered(after(hint.reduceHint, seen, { type: "seen", view: seatView({ card: "6H" }) })),
      "hint",
    );
  });

  test("is offered only as far as the host allows", () => {
    assert.equal(hint.offered(after(hint.reduceHint, seen, { type: "allowed", most: "off" })), null);
    const laid = after(hint.reduceHint, seen, { type: "seen", view: seatView({ card: "6H" }) });
    assert.equal(hint.offered(after(hint.reduceHint, laid, { type: "allowed", most: "nudge" })), null);
  });

  test("turns into a lesson after one's own move", () => {
    const played = { seq: 7, t_ms: 0, seat: "P0", card: "6H", text: "", label: text, arrows: [] };
    const view = seatView({ your_turn: false, to_move: "P1", history: [played] });
    assert.equal(hint.offered(after(hint.reduceHint, seen, { type: "seen", view })), "teacher");
    const nothingPlayed = seatView({ your_turn: false, to_move: "P1" });
    assert.equal(hint.offered(after(hint.reduceHint, seen, { type: "seen", view: nothingPlayed })), null);
  });

  test("goes away when the table moves on, also while it was being thought", () => {
    const asked = after(hint.reduceHint, seen, { type: "asked" });
    const hinted = after(hint.reduceHint, asked, { type: "answered", moment: asked.moment, answer });
    assert.deepEqual(hint.advisedMove(hinted)?.targets, ["T10"]);
    const next = seatView({ game: { ...seatView().game, seq: 8 } });
    assert.equal(after(hint.reduceHint, hinted, { type: "seen", view: next }).answer, null);
    const late = after(
      hint.reduceHint,
      asked,
      { type: "seen", view: next },
      { type: "answered", moment: asked.moment, answer },
    );
    assert.deepEqual([late.answer, late.isAsking], [null, false]);
  });

  test("of the first kind shows no move on the board", () => {
    const nudge = { ...answer, level: /** @type {const} */ ("nudge") };
    const hinted = after(hint.reduceHint, seen, { type: "answered", moment: seen.moment, answer: nudge });
    assert.equal(hint.advisedMove(hinted), null);
    assert.equal(hint.offered(hinted), "more");
  });
});
