"""The table of requests: what each kind is, who may ask it, in which phase of the game, and what answers it."""

from collections.abc import Mapping
from typing import Any

from tock_companion.core import bodies, correcting, hand_requests, playing, voting
from tock_companion.core.answering import (
    ALWAYS,
    NOT_PAUSED,
    UNDER_WAY,
    Answer,
    Phase,
    Rule,
    Who,
    refusal,
)
from tock_companion.core.bodies import Body
from tock_companion.core.requests import Reply, Request, bad_request
from tock_companion.core.state import CoreState
from tock_companion.errors import BadInputError

PLAYING = Phase.PLAYING
RULES: Mapping[type[Body], Rule[Any]] = {
    rule.body: rule
    for rule in (
        Rule(bodies.PlayCard, Who.MOVER, PLAYING, playing.play_card, is_timeless=True),
        Rule(bodies.WithdrawCard, Who.MOVER, PLAYING, playing.withdraw_card),
        Rule(bodies.Discard, Who.MOVER, PLAYING, playing.discard),
        Rule(bodies.ThrowHand, Who.MOVER, PLAYING, playing.throw_hand),
        Rule(bodies.MovePawns, Who.MOVER, PLAYING, playing.move_pawns),
        Rule(bodies.EndTurn, Who.MOVER, PLAYING, playing.end_turn),
        Rule(bodies.SetHand, Who.SEAT, UNDER_WAY, hand_requests.set_hand, is_timeless=True),
        Rule(bodies.CheckHand, Who.SEAT, UNDER_WAY, hand_requests.check_hand, is_timeless=True),
        Rule(bodies.DrawHand, Who.SEAT, UNDER_WAY, hand_requests.draw_hand),
        Rule(bodies.Deal, Who.ANYBODY_SEATED, UNDER_WAY, hand_requests.deal),
        Rule(bodies.Give, Who.SEAT, PLAYING, hand_requests.give, is_timeless=True),
        Rule(bodies.DecideNow, Who.ANYBODY_SEATED, UNDER_WAY),
        Rule(bodies.Answer, Who.ANYBODY_SEATED, PLAYING, correcting.answer_question),
        Rule(bodies.Undo, Who.ANYBODY_SEATED, NOT_PAUSED, voting.undo_or_ask, ends=True),
        Rule(bodies.ProposeBack, Who.SEAT, NOT_PAUSED, voting.propose_back, is_timeless=True),
        Rule(bodies.VoteBack, Who.ANYBODY_SEATED, NOT_PAUSED, voting.vote_back, is_timeless=True),
        Rule(bodies.Correct, Who.ANYBODY_SEATED, UNDER_WAY, correcting.correct),
        Rule(bodies.AcceptBoard, Who.HOST, UNDER_WAY, correcting.accept_board),
        Rule(bodies.Override, Who.ANYBODY_SEATED, PLAYING, correcting.override),
        Rule(bodies.SetMode, Who.HOST, UNDER_WAY, correcting.set_mode),
        Rule(bodies.Pause, Who.HOST, UNDER_WAY, correcting.pause),
        Rule(bodies.Resume, Who.HOST, UNDER_WAY, correcting.resume),
        Rule(bodies.NewGame, Who.HOST, ALWAYS, ends=True),
        Rule(bodies.Prepare, Who.HOST, ALWAYS, ends=True),
        Rule(bodies.Begin, Who.HOST, ALWAYS),
        Rule(bodies.Rematch, Who.HOST, Phase.OVER),
        Rule(bodies.Practise, Who.SEAT, ALWAYS),
        Rule(bodies.EndPractice, Who.ANYBODY_SEATED, ALWAYS),
        Rule(bodies.HandHost, Who.HOST, ALWAYS, ends=True),
        Rule(bodies.AnswerAbsent, Who.ANYBODY_SEATED, PLAYING, playing.answer_absent),
        Rule(bodies.AnswerSeat, Who.ANYBODY_SEATED, ALWAYS, is_timeless=True),
        Rule(bodies.SetComputer, Who.HOST, ALWAYS),
        Rule(bodies.FreeSeat, Who.HOST, ALWAYS, ends=True),
        Rule(bodies.Pair, Who.HOST, ALWAYS),
        Rule(bodies.SetIndices, Who.HOST, ALWAYS),
    )
}


def means_the_same(state: CoreState, request: Request) -> bool:
    """Whether a request still means the same as on an older view: it names a card, a hand, a vote or a turn of its own.

    A card only while it is that seat's turn: on a view from before, it would be laid out of turn.
    """
    rule = RULES[type(request.body)]
    return rule.is_timeless and (rule.who is not Who.MOVER or request.seat is state.position.to_move)


def refusal_of(state: CoreState, request: Request) -> Reply | None:
    """Why this request may not be made now by this person; None when nothing is against it."""
    return refusal(state, request, RULES[type(request.body)])


def answer(state: CoreState, request: Request) -> Answer:
    """Answer a request about the game; a refusal has no facts."""
    rule = RULES[type(request.body)]
    refused = refusal(state, request, rule)
    if refused is not None:
        return Answer(refused)
    if rule.handler is None:
        raise TypeError(f"{rule.body.KIND} is not for the game to answer")
    try:
        return rule.handler(state, request, request.body)
    except BadInputError as error:
        return Answer(bad_request(error))
