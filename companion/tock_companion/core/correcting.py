"""Requests that correct the companion: answers, moves taken back, boards corrected, modes, pauses."""

from tock_companion.core.answering import Answer, refuse, turn_refusal
from tock_companion.core.bodies import (
    AcceptBoard,
    Correct,
    Override,
    Pause,
    PawnChange,
    Resume,
    SetMode,
    Undo,
    WithdrawCard,
)
from tock_companion.core.bodies import Answer as AnswerQuestion
from tock_companion.core.playing import TAP, accept, binds, lay_card, withdraw_card
from tock_companion.core.requests import Reply, Request, Role, refused
from tock_companion.core.ruling import Ruling, take_back_warning
from tock_companion.core.state import CoreState
from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    BY_AGREEMENT,
    LET_PASS,
    Correction,
    Fact,
    ModeSet,
    MoveTakenBack,
    Paused,
    QuestionAnswered,
    Repaired,
    Resumed,
    TurnEnded,
    ViolationFound,
)
from tock_companion.events.game import NEW_GAME, Game, Mode, Turn
from tock_companion.events.terms import seat_term
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_rules import Board, Card, Hole, Move, Seat, judge_move, place_of

TWO_OF_SPADES = Card.parse("2S")


def answer_question(state: CoreState, request: Request, body: AnswerQuestion) -> Answer:
    """Answer the referee's question: which card, which move, or whether a new game begins."""
    question, choice = state.game.question, body.choice
    if question is None or choice not in question.choices:
        return refuse("no_question")
    asked = Seat[question.seat]
    if request.role is Role.SEAT and request.seat is not asked:
        return Answer(refused("not_your_turn", seat=seat_term(asked)))
    if question.about == NEW_GAME:
        answered = QuestionAnswered(question.seat, choice, request.who)
        return Answer(Reply(True, data={NEW_GAME: choice == NEW_GAME}), [answered])
    if question.about == "card" or state.game.card is None:
        # Laying the card answers the question.
        return Answer(facts=lay_card(state.game, Card.parse(choice), None, TAP))
    move = judge_move(state.position, state.game.card, choice)
    return accept(state, request, move, "answer") if isinstance(move, Move) else refuse("no_question")


def undo(state: CoreState, request: Request, body: Undo) -> Answer:
    """Take back the laid card, else the last turn, or the host a turn further back with all later ones."""
    if state.game.card is not None and body.to is None:
        refusal = turn_refusal(state, request)
        if refusal is not None:
            return Answer(refusal)
        return withdraw_card(state, request, WithdrawCard())
    if body.to is not None and request.role is not Role.HOST:
        return refuse("needs_votes")
    if not state.game.turns:
        return refuse("nothing_to_undo")
    if binds(state, request):
        return refuse("binding_move")
    return take_back(state, _turn_to_undo(state.game, body.to), request.who)


def take_back(state: CoreState, turn: Turn, who: str) -> Answer:
    """Take back a turn and all later ones; while the board is seen, the pawns have to be put back too."""
    facts: list[Fact] = [MoveTakenBack(who, turn.seq)]
    if state.sees and not turn.before.board.looks_like(state.position.board):
        seen = estimated_setup(state.watch, turn.before)
        taken = state.game.taking_back(turn, who)
        facts.append(take_back_warning(taken, turn.before, seen))
    elif state.game.warning is not None:
        facts.append(Repaired(state.game.warning.seat, None))
    return Answer(facts=facts)


def _turn_to_undo(game: Game, seq: int | None) -> Turn:
    """The last turn, or the one of that number, with which all later ones go too."""
    if seq is None:
        return game.turns[-1]
    for turn in game.turns:
        if turn.seq == seq:
            return turn
    raise BadInputError(f"there is no turn {seq} to take back")


def correct(state: CoreState, request: Request, body: Correct) -> Answer:
    pawns = {seat: list(places) for seat, places in state.position.board.to_pawns().items()}
    for change in body.changes:
        _apply_change(pawns, change)
    board = Board.from_pawns(state.position.shape, pawns)
    facts: list[Fact] = [_correction(state, request, body.why, board)]
    if not state.sees and state.game.warning is not None:
        # No source will see that the board is right again; the person has said so.
        facts.append(Repaired(state.game.warning.seat, None))
    return Answer(facts=facts)


def _apply_change(pawns: dict[str, list[str]], change: PawnChange) -> None:
    seat = change.seat
    source, target = place_of(seat, change.source), place_of(seat, change.target)
    left = Hole.at_place(seat, source)
    places = pawns.get(seat.name, [])
    marked = next((place for place in places if Hole.at_place(seat, place) == left), None)
    if marked is None:
        raise BadInputError(f"{seat.name} has no pawn on {change.source}")
    places[places.index(marked)] = target


def accept_board(state: CoreState, request: Request, _body: AcceptBoard) -> Answer:
    setup = estimated_setup(state.watch, state.position)
    problems = setup.problems()
    if problems:
        return Answer(refused("impossible_board", reason=str(problems[0])))
    if state.game.card == TWO_OF_SPADES and state.position.ruleset.deux_de_pique:
        # Its powers are in no text (R000-54, R000-70): the host confirms the table's agreement.
        return Answer(facts=_stands(state, request, BY_AGREEMENT, setup.board()))
    return Answer(facts=[_correction(state, request, "the board as it stands", setup.board())])


def override(state: CoreState, request: Request, _body: Override) -> Answer:
    """Let a wrong board stand, as a house rule: the turn is over, and the log says who allowed what."""
    warning = state.game.warning
    if state.game.mode is not Mode.FRIENDLY:
        return refuse("not_friendly")
    if not isinstance(warning, ViolationFound) or not state.game.may_let_pass:
        return refuse("no_warning")
    setup = estimated_setup(state.watch, state.position)
    if setup.problems():
        return accept_board(state, request, AcceptBoard())
    return Answer(facts=_stands(state, request, f"{LET_PASS}{warning.code}", setup.board()))


def _stands(state: CoreState, request: Request, why: str, board: Board) -> list[Fact]:
    """Let a board stand that no rule explains, and end the turn."""
    warning, turn = state.game.warning, state.position.to_move
    facts: list[Fact] = [Correction(request.who, why, board.to_pawns())]
    if warning is not None:
        facts.append(Repaired(warning.seat, None))
    return [*facts, TurnEnded(turn.name, state.position.end_turn().to_move.name)]


def _correction(state: CoreState, request: Request, why: str, board: Board) -> Correction:
    card = str(state.game.card) if state.game.card is not None else None
    return Correction(request.who, why, board.to_pawns(), card)


def set_mode(state: CoreState, request: Request, body: SetMode) -> Answer:
    mode = Mode(body.mode)
    if state.game.mode is mode:
        return Answer()
    facts: list[Fact] = [ModeSet(mode.value, request.who)]
    if mode is Mode.RECORDER:
        facts += Ruling(state.game).settled()
    return Answer(facts=facts)


def pause(state: CoreState, request: Request, _body: Pause) -> Answer:
    return Answer(facts=[] if state.game.paused else [Paused(request.who)])


def resume(state: CoreState, request: Request, _body: Resume) -> Answer:
    return Answer(facts=[Resumed(request.who)] if state.game.paused else [])
