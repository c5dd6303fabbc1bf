"""The table of requests: what each kind is, who may ask it, in which phase of the game, and what answers it."""

from collections.abc import Mapping
from typing import Any

from tock_companion.errors import BadInputError
from tock_companion.table import correcting, hands, playing, requests, voting
from tock_companion.table.answering import ALWAYS, NOT_PAUSED, UNDER_WAY, Answer, Phase, Rule, Who, refusal
from tock_companion.table.requests import Body, Reply, Request, bad_request
from tock_companion.table.state import CoreState

PLAYING = Phase.PLAYING
RULES: Mapping[type[Body], Rule[Any]] = {
    rule.body: rule
    for rule in (
        Rule(requests.PlayCard, Who.MOVER, PLAYING, playing.play_card),
        Rule(requests.WithdrawCard, Who.MOVER, PLAYING, playing.withdraw_card),
        Rule(requests.Discard, Who.MOVER, PLAYING, playing.discard),
        Rule(requests.ThrowHand, Who.MOVER, PLAYING, playing.throw_hand),
        Rule(requests.MovePawns, Who.MOVER, PLAYING, playing.move_pawns),
        Rule(requests.EndTurn, Who.MOVER, PLAYING, playing.end_turn),
        Rule(requests.SetHand, Who.SEAT, UNDER_WAY, hands.set_hand),
        Rule(requests.CheckHand, Who.SEAT, UNDER_WAY, hands.check_hand),
        Rule(requests.DrawHand, Who.SEAT, UNDER_WAY, hands.draw_hand),
        Rule(requests.Deal, Who.ANYBODY_SEATED, UNDER_WAY, hands.deal),
        Rule(requests.DecideNow, Who.ANYBODY_SEATED, UNDER_WAY),
        Rule(requests.Answer, Who.ANYBODY_SEATED, PLAYING, correcting.answer_question),
        Rule(requests.Undo, Who.ANYBODY_SEATED, NOT_PAUSED, correcting.undo),
        Rule(requests.ProposeBack, Who.SEAT, NOT_PAUSED, voting.propose_back),
        Rule(requests.VoteBack, Who.ANYBODY_SEATED, NOT_PAUSED, voting.vote_back),
        Rule(requests.Correct, Who.ANYBODY_SEATED, UNDER_WAY, correcting.correct),
        Rule(requests.AcceptBoard, Who.HOST, UNDER_WAY, correcting.accept_board),
        Rule(requests.Override, Who.ANYBODY_SEATED, PLAYING, correcting.override),
        Rule(requests.SetMode, Who.HOST, UNDER_WAY, correcting.set_mode),
        Rule(requests.Pause, Who.HOST, UNDER_WAY, correcting.pause),
        Rule(requests.Resume, Who.HOST, UNDER_WAY, correcting.resume),
        Rule(requests.NewGame, Who.HOST, ALWAYS),
        Rule(requests.AnswerSeat, Who.ANYBODY_SEATED, ALWAYS),
        Rule(requests.SetComputer, Who.HOST, ALWAYS),
        Rule(requests.FreeSeat, Who.HOST, ALWAYS),
    )
}


def refusal_of(state: CoreState, request: Request) -> Reply | None:
    """Why this request may not be made now by this person; None when nothing is against it."""
    return refusal(state, request, RULES[type(request.body)])


def answer(state: CoreState, request: Request) -> Answer:
    """Answer a request about the game; facts of a refusal are none."""
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
