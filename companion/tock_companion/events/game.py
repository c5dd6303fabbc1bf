"""The state of a game, derived from its events and from nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    CardPlayed,
    CardsDealt,
    Correction,
    Event,
    GameEnded,
    GameStarted,
    ModeSet,
    MoveAccepted,
    MoveTakenBack,
    Paused,
    PawnMissing,
    QuestionAnswered,
    QuestionAsked,
    Repaired,
    Resumed,
    SourceBack,
    SourceLost,
    TurnEnded,
    ViolationFound,
)
from tock_rules import Board, Card, Move, Position, Seat, judge_move, load_preset, shape_for

NEW_GAME: Final = "new_game"
PLAY_ON: Final = "play_on"
"""The answers to the question whether pawns that were all put away mean a new game."""


TAKE_BACK = "board/take_back"
"""Code of the warning that stays until the board is back where it was before a move that was taken back."""
SET_UP = "board/set_up"
"""Code of the warning that stays until the board is as in a game that was taken up again."""
ABOUT_CARDS = "card/"
"""Prefix of codes of warnings about cards: judging the board does not make them go away."""
RESTORING = (TAKE_BACK, SET_UP)
"""Warnings during which nobody plays: the pawns go where the game has them."""


class Mode(Enum):
    """The strictness of the referee: chosen by the host, kept in the log."""

    RECORDER = "recorder"
    """Records sure moves silently: no warning, no question."""
    COACH = "coach"
    """Warns, explains, asks and helps; cards and moves may be taken back."""
    FRIENDLY = "friendly"
    """Like the coach, and the table may let a wrong board stand; that is written down."""
    STRICT = "strict"
    """A laid card and a released pawn are binding where the ruleset says so (R002-36)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that can be taken back: the event that ended it and the position before."""

    seq: int
    before: Position
    moved: bool
    """Whether the seat had already made a move in that turn."""


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted move that still counts: the number and time of its event, who played which card how."""

    seq: int
    t_ms: int
    seat: Seat
    card: Card
    move: Move


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A turn that was taken back, until somebody plays on."""

    seat: Seat
    """The seat that had the turn."""
    card: Card | None
    """The card; None for cards that were put away."""
    by: str
    """The person who took it back, as logged: a seat, `host`, or `board` where the pawns were put back."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game after some of its events."""

    seq: int
    t_ms: int
    started: GameStarted
    position: Position
    card: Card | None = None
    """Laid face up and not yet moved."""
    moved: bool = False
    """Whether the seat to move has already made a move in this turn."""
    warning: ViolationFound | PawnMissing | None = None
    warned_card: Card | None = None
    """The card that lay there when the warning was given."""
    question: QuestionAsked | None = None
    playing_on: bool = False
    """All pawns were put into their camps and the table said that the game goes on."""
    turns: tuple[Turn, ...] = ()
    moves: tuple[Played, ...] = ()
    lost_sources: frozenset[str] = frozenset()
    paused: bool = False
    mode: Mode = Mode.COACH
    ended: GameEnded | None = None
    taken_back: TakenBack | None = None
    put_away: tuple[Card, ...] = ()
    """The cards that the seat to move has put away instead of a turn."""

    @property
    def may_let_pass(self) -> bool:
        """Whether friends may accept the board of the open warning: pawns, not cards or a turn taken back."""
        warning = self.warning
        if not isinstance(warning, ViolationFound) or self.mode is not Mode.FRIENDLY:
            return False
        return warning.code not in RESTORING and not warning.code.startswith(ABOUT_CARDS)

    @property
    def restores(self) -> bool:
        """Whether the pawns are being put where the game has them, and nobody plays."""
        return isinstance(self.warning, ViolationFound) and self.warning.code in RESTORING

    @property
    def last_mover(self) -> Seat | None:
        """The seat that moved last; None before anybody's first turn."""
        return self.turns[-1].before.to_move if self.turns else None

    def taking_back(self, turn: Turn, by: str) -> TakenBack:
        """The effects of taking this turn back."""
        card = next((played.card for played in self.moves if played.seq == turn.seq), None)
        return TakenBack(turn.before.to_move, card, by)

    @property
    def may_close_turn(self) -> bool:
        """Whether the turn is open only for a stored move that may be kept: the next seat's card ends it."""
        return self.moved and self.card is None and not self.position.must_play_more


def fold(events: Iterable[Event]) -> Game:
    """Derive the game from its log; raises BadInputError when the events contradict each other or the rules."""
    game: Game | None = None
    for event in events:
        game = begin(event) if game is None else apply(game, event)
    if game is None:
        raise BadInputError("a game without events has not begun")
    return game


def begin(event: Event) -> Game:
    """Start a game with the first event of its log; raises BadInputError when it is another one."""
    if not isinstance(event.fact, GameStarted) or event.seq != 1:
        raise BadInputError("this is not a whole log of a game: it does not begin with game_started")
    return Game(event.seq, event.t_ms, event.fact, _first_position(event.fact))


def apply(game: Game, event: Event) -> Game:
    """Derive the game after one more event; raises BadInputError for a gap or a fact that cannot follow."""
    if event.seq != game.seq + 1:
        raise BadInputError(f"event {event.seq} follows event {game.seq}; one is missing")
    return replace(_with_fact(game, event), seq=event.seq, t_ms=event.t_ms)


def _with_fact(game: Game, event: Event) -> Game:
    fact = event.fact
    match fact:
        case MoveTakenBack():
            return _taken_back(game, fact)
        case CardPlayed() | MoveAccepted() | TurnEnded() | Correction():
            return replace(_played_on(game, event), taken_back=None)
        case ViolationFound() | PawnMissing():
            return replace(game, warning=fact, warned_card=game.card)
        case Repaired():
            return replace(game, warning=None, playing_on=False)
        case QuestionAsked():
            return replace(game, question=fact)
        case QuestionAnswered(choice=choice):
            return replace(game, question=None, playing_on=game.playing_on or choice == PLAY_ON)
        case SourceLost(source=source):
            return replace(game, lost_sources=game.lost_sources | {source})
        case SourceBack(source=source):
            return replace(game, lost_sources=game.lost_sources - {source})
        case Paused():
            return replace(game, paused=True)
        case Resumed():
            return replace(game, paused=False)
        case ModeSet(mode=mode):
            return replace(game, mode=_mode(mode))
        case GameEnded():
            return replace(game, ended=fact, card=None, question=None, warning=None)
        case GameStarted():
            raise BadInputError(f"event {event.seq}: the game has already begun")
        case CardsDealt(counts=counts, gift=gift):
            if gift is not None or len(counts) < len(game.position.seats):
                return game
            # A new hand begins without the debts of the last one.
            return replace(game, position=replace(game.position, owes_discard=frozenset()))


def _mode(name: str) -> Mode:
    try:
        return Mode(name)
    except ValueError:
        raise BadInputError(f"mode '{name}' is not known") from None


def _first_position(fact: GameStarted) -> Position:
    ruleset = load_preset(fact.ruleset).with_options(fact.options)
    board = Board.from_pawns(shape_for(ruleset, fact.zones), fact.position)
    teams = [[Seat.parse(name) for name in team] for team in fact.teams or []]
    return Position.of(ruleset, board, Seat.parse(fact.to_move), teams)


def _played_on(game: Game, event: Event) -> Game:
    position = game.position
    match event.fact:
        case CardPlayed(card=card, use="move"):
            return replace(game, card=Card.parse(card))
        case CardPlayed(card=card):
            away = (*game.put_away, Card.parse(card))
            if game.put_away:
                # The second card of a hand that is put away whole: taken back with the first.
                return replace(game, put_away=away)
            turn = Turn(event.seq, position, game.moved)
            return replace(game, card=None, moved=True, turns=(*game.turns, turn), put_away=away)
        case MoveAccepted() as fact:
            return _moved(game, event, fact)
        case TurnEnded(next=seat):
            ended = position.put_away(game.put_away) if game.put_away else position.end_turn()
            return replace(game, position=_turn_of(ended, seat), card=None, moved=False, put_away=())
        case Correction() as fact:
            corrected = _corrected(game, fact)
            if not fact.is_a_turn:
                return corrected
            return replace(corrected, turns=(*game.turns, Turn(event.seq, position, game.moved)))
    return game


def _moved(game: Game, event: Event, fact: MoveAccepted) -> Game:
    """Play the move by the rules; the stored result must agree, else the log was written under other rules."""
    position, card = game.position, Card.parse(fact.card)
    move = judge_move(position, card, fact.move)
    if not isinstance(move, Move):
        raise BadInputError(
            f"event {event.seq}: {fact.move} with {fact.card} is not legal in the position before it"
        )
    played = position.play(move)
    if played.board.to_pawns() != fact.result:
        raise BadInputError(f"event {event.seq}: the result of {fact.move} is not the one stored")
    return replace(
        game,
        position=played,
        card=None,
        moved=True,
        turns=(*game.turns, Turn(event.seq, position, game.moved)),
        moves=(*game.moves, Played(event.seq, event.t_ms, position.to_move, card, move)),
    )


def _turn_of(position: Position, name: str) -> Position:
    seat = Seat.parse(name)
    if seat not in position.seats:
        raise BadInputError(f"{name} does not play and cannot have the turn")
    if position.to_move is seat:
        return position
    return replace(position, to_move=seat, cards_played=0, arrived=0)


def _taken_back(game: Game, fact: MoveTakenBack) -> Game:
    undoes = fact.undoes
    for index, turn in enumerate(game.turns):
        if turn.seq == undoes:
            return replace(
                game,
                position=turn.before,
                card=None,
                moved=turn.moved,
                ended=None,
                put_away=(),
                turns=game.turns[:index],
                moves=tuple(played for played in game.moves if played.seq < undoes),
                taken_back=game.taking_back(turn, fact.by),
            )
    raise BadInputError(f"event {undoes} cannot be taken back")


def _corrected(game: Game, fact: Correction) -> Game:
    position = game.position
    if fact.result is not None:
        board = Board.from_pawns(position.shape, fact.result)
        if board.seats != position.board.seats:
            raise BadInputError("a correction must say where the pawns of every seat stand, and of no other")
        position = replace(position, board=board)
    if fact.to_move is not None:
        position = _turn_of(position, fact.to_move)
    card = Card.parse(fact.card) if fact.card is not None else None
    return replace(game, position=position, card=card)
