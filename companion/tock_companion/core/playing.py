"""Requests of the seat to move: cards laid, taken back and put away, moves tapped on the phone, the end of a turn."""

from collections import Counter
from dataclasses import replace

from tock_companion.core.answering import Answer, refuse
from tock_companion.core.bodies import (
    AnswerAbsent,
    Discard,
    EndTurn,
    MovePawns,
    PlayCard,
    ThrowHand,
    WithdrawCard,
)
from tock_companion.core.requests import Request, Role
from tock_companion.core.ruling import Ruling, seen_differences
from tock_companion.core.state import CoreState
from tock_companion.events.facts import (
    CardPlayed,
    Correction,
    Fact,
    QuestionAnswered,
    Repaired,
    TurnEnded,
    ViolationFound,
)
from tock_companion.events.game import Game, Mode
from tock_companion.events.terms import card_term
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_rules import (
    Card,
    Move,
    Position,
    Seat,
    is_binding,
    judge_move,
    parse_parts,
    turn_options,
    why_not_put_away,
)

TAP = "touch"
"""The name of a tap on a phone in the log."""
OTHER_SEAT = "card/other_seat"
"""Code of the warning about a card that a source saw a seat lay out of turn."""


def play_card(state: CoreState, request: Request, body: PlayCard) -> Answer:
    if body.move is not None:
        # What announces no move is refused before the card lies there.
        parse_parts(state.position.shape, body.move)
    game = state.game
    if game.card is not None and game.card != body.card:
        return _lay_instead(state, request, game.card, body.card)
    return Answer(facts=lay_card(game, body.card, request.seat, TAP))


def _lay_instead(state: CoreState, request: Request, laid: Card, card: Card) -> Answer:
    """Lay another card in place of the laid one, as long as no pawn has moved."""
    if request.seat is not state.position.to_move:
        return refuse("card_laid", card=card_term(laid))
    if binds(state, request) and is_binding(state.position, laid):
        return refuse("binding_card", card=card_term(laid))
    if state.sees and seen_differences(state.position, estimated_setup(state.watch, state.position)):
        return refuse("pawn_moved", card=card_term(laid))
    without = replace(state.game, card=None)
    taken_back = Correction(request.who, "card withdrawn")
    return Answer(facts=[taken_back, *lay_card(without, card, request.seat, TAP)])


def lay_card(game: Game, card: Card, seat: Seat | None, by: str) -> list[Fact]:
    """Find the facts when `seat` (None: the seat to move) lays a card, by a tap or seen by a source."""
    if game.paused or game.ended is not None:
        return []
    turn = game.position.to_move
    seat = turn if seat is None else seat
    facts: list[Fact] = []
    if seat is not turn:
        following = game.position.end_turn().to_move
        if not (game.may_close_turn and seat is following):
            return [_out_of_turn(seat, turn)]
        # The next player's card closes a turn that a stored move had kept open.
        facts.append(TurnEnded(turn.name, seat.name))
    elif game.card == card:
        return []
    warning = game.warning
    if isinstance(warning, ViolationFound) and warning.code == OTHER_SEAT:
        facts.append(Repaired(warning.seat, None))
    if game.question is not None and game.question.about == "card":
        facts.append(QuestionAnswered(game.question.seat, str(card), by))
    return [*facts, CardPlayed(seat.name, str(card), by)]


def withdraw_card(state: CoreState, request: Request, _body: WithdrawCard) -> Answer:
    card = state.game.card
    if card is None:
        return refuse("no_card")
    if binds(state, request) and is_binding(state.position, card):
        return refuse("binding_card", card=card_term(card))
    return Answer(facts=[Correction(request.who, "card withdrawn")])


def binds(state: CoreState, request: Request) -> bool:
    """Whether a laid card or a released pawn is binding for this person: in strict mode, for all but the host."""
    binding = state.position.ruleset.laid_card_binding
    return binding and state.game.mode is Mode.STRICT and request.role is not Role.HOST


def discard(state: CoreState, request: Request, body: Discard) -> Answer:
    """Put a card away, or the whole hand, as the rules have it when nothing can be played (open point A-09)."""
    laid = state.game.card
    if body.cards is not None and laid is not None:
        return refuse("card_laid", card=card_term(laid))
    one = laid if laid is not None else body.card
    away = body.cards if body.cards is not None else () if one is None else (one,)
    if not away:
        return refuse("bad_request", reason="'card' is missing")
    hand = _known_hand(state, request)
    if body.cards is not None and hand is not None and not _same_cards(hand, body.cards):
        return refuse("bad_request", reason="'cards' is not the whole hand")
    position, held = state.hands.informing(state.position), away if hand is None else hand
    options = turn_options(position, held)
    reason = why_not_put_away(options.choices, len(away), len(held), position.cards_played)
    if reason == "hand_playable" and hand is None and body.cards is None:
        return refuse("card_playable", card=card_term(away[0]))
    return _put_away(position, away) if reason is None else refuse(reason)


def throw_hand(state: CoreState, request: Request, body: ThrowHand) -> Answer:
    """Throw a whole hand to bring a pawn out (R002-30)."""
    hand = _known_hand(state, request)
    if hand is not None and not _same_cards(hand, body.cards):
        return refuse("bad_request", reason="'cards' is not the whole hand")
    position = state.hands.informing(state.position)
    if state.game.card is not None:
        return refuse("card_laid", card=card_term(state.game.card))
    move = position.throw_move(body.cards)
    if move is None:
        return refuse("no_exit")
    if state.sees and not estimated_setup(state.watch, position).board().looks_like(move.result):
        return refuse("on_the_board")
    return _put_away(position, body.cards, Correction(request.who, "hand thrown", move.result.to_pawns()))


def _known_hand(state: CoreState, request: Request) -> tuple[Card, ...] | None:
    """The whole hand of the seat that asks on its turn, with the card it has laid; None where it is not known."""
    if request.seat is None or request.seat is not state.position.to_move:
        return None
    hand = state.hands.before_play(request.seat)
    return hand.cards if hand is not None and hand.sure else None


def _same_cards(one: tuple[Card, ...], other: tuple[Card, ...]) -> bool:
    return Counter(one) == Counter(other)


def move_pawns(state: CoreState, request: Request, body: MovePawns) -> Answer:
    """Play a legal move that was tapped on the phone, where no source sees it made.

    Where one does, that of somebody far away is announced, and people at the table make it.
    """
    if state.game.card is None:
        return refuse("no_card")
    move = judge_move(state.position, state.game.card, body.text)
    if not isinstance(move, Move):
        return refuse("bad_request", reason=body.text)
    is_far = request.seat in state.roster.far
    if state.sees and can_be_seen(move, colors=state.sees_colors) and (is_far or not body.force):
        return Answer(announced=move, concerns_board=False) if is_far else refuse("on_the_board")
    return accept(state, request, move, TAP)


def accept(state: CoreState, request: Request, move: Move, how: str) -> Answer:
    """Record a move that a person says was made."""
    evidence: dict[str, object] = {"by": how, "who": request.who}
    return Answer(facts=Ruling(state.game).accept(move.card, move, evidence, request.who))


def end_turn(state: CoreState, _request: Request, _body: EndTurn) -> Answer:
    """End a turn that a stored move keeps open; a seat that has thrown its hand passes so."""
    game, position = state.game, state.position
    if not game.moved and game.card is None and _has_thrown_its_hand(state):
        return Answer(facts=[_end(position)])
    if not game.moved or game.card is not None:
        return refuse("turn_open")
    if position.must_play_more:
        return refuse("must_play_more")
    return Answer(facts=[_end(position)])


def answer_absent(state: CoreState, request: Request, body: AnswerAbsent) -> Answer:
    """Pass over a player who has left, or wait for them without asking again; the host may pass over any player."""
    game, position = state.game, state.position
    is_asked = state.absent is body.seat or (request.role is Role.HOST and position.to_move is body.seat)
    if not is_asked or game.card is not None or game.warning is not None:
        return refuse("no_question")
    if body.choice == "wait":
        return Answer(awaited=body.seat, concerns_board=False)
    # A recording has no people who could have left.
    return Answer(facts=[_end(position)], recorded_as=Request(body, Role.HOST))


def _has_thrown_its_hand(state: CoreState) -> bool:
    """Whether the seat to move holds no card while others still play theirs (R002-30)."""
    hand = state.hands.of(state.position.to_move)
    return hand is not None and not hand.count and any(held.count for held in state.hands.held.values())


def _put_away(position: Position, cards: tuple[Card, ...], *thrown: Correction) -> Answer:
    """The cards leave the hand, a thrown one puts a pawn on the board, and the turn is over."""
    seat = position.to_move.name
    away = [CardPlayed(seat, str(card), TAP, "discard") for card in cards]
    return Answer(facts=[*away, *thrown, _end(position)])


def _end(position: Position) -> TurnEnded:
    return TurnEnded(position.to_move.name, position.end_turn().to_move.name)


def _out_of_turn(seat: Seat, turn: Seat) -> ViolationFound:
    return ViolationFound(seat.name, OTHER_SEAT, [], {}, [], [], params={"turn": turn.name})


def can_be_seen(move: Move, *, colors: bool) -> bool:
    """Whether the board looks different after a move, with colours or without."""
    before, after = move.before, move.result
    if colors or before.occupied().keys() != after.occupied().keys():
        return not after.looks_like(before)
    return any(before.camp_count(seat) != after.camp_count(seat) for seat in before.seats)
