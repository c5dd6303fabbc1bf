"""The facts of a game, in the text forms of docs/formats.md, so that a log stays readable and outlives the code.

A fact says what happened, never what follows from it: the position is derived by folding the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tock_companion.errors import BadInputError, quoted
from tock_rules import own_files

Pawns = Mapping[str, list[str]]
"""The four pawns of every seat: `{"P0": ["camp", "T20*", …]}`."""
QuestionTopic = Literal["card", "move", "new_game"]
GiftKind = Literal["named", "unnamed", "withdrawn"]
Count = Annotated[int, Field(strict=True, ge=0, le=1000)]
EventNumber = Annotated[int, Field(strict=True, ge=1)]
"""The `seq` of an event in its log."""
StoredSentence = Mapping[str, str]
"""A finished sentence by language, as earlier releases wrote it into the log."""
PawnStep = Mapping[str, str]
"""One pawn movement: `{"seat", "from", "to"}`."""


class OfKind:
    """Base of dataclasses that a `kind` names in JSON."""

    __slots__ = ()
    KIND: ClassVar[str]

    def __init_subclass__(cls, kind: str = "") -> None:
        # A dataclass with slots is made a second time, from the attributes of the first.
        if kind:
            cls.KIND = kind


@dataclass(frozen=True, slots=True)
class GameStarted(OfKind, kind="game_started"):
    """A game begins, from any position."""

    ruleset: str
    options: Mapping[str, object]
    seats: list[str]
    teams: list[list[str]] | None
    board: str
    zones: Count
    dealer: str | None
    to_move: str
    position: Pawns
    started_at: str | None = None
    """Wall-clock time in ISO 8601, for people; nothing is computed from it."""
    board_file: Mapping[str, object] | None = None
    """The board as its file says, so that the game is drawn on it for ever."""
    ruleset_file: str | None = None
    """The text of the file of people that the ruleset comes from, so that the game goes on without it."""

    def __post_init__(self) -> None:
        """Make the rules known."""
        if self.ruleset_file is not None and own_files.add_kept(self.ruleset_file) != self.ruleset:
            raise BadInputError(f"the ruleset file of the game is not that of {quoted(self.ruleset)}")


@dataclass(frozen=True, slots=True)
class CardsDealt(OfKind, kind="cards_dealt"):
    """Hands were dealt: how many cards each seat got, never which."""

    counts: Mapping[str, Count]
    gift: GiftKind | None = None
    """The one seat of `counts` gives its mate a card before anybody plays, which only it names to the table, or takes
    it back; the count is that of the hand with that card.
    """


@dataclass(frozen=True, slots=True)
class CardPlayed(OfKind, kind="card_played"):
    """A card was laid face up; `use` is `move`, or `discard` when it was thrown away."""

    seat: str
    card: str
    by: str
    use: str = "move"


@dataclass(frozen=True, slots=True)
class MoveAccepted(OfKind, kind="move_accepted"):
    """The table shows the position after a legal move."""

    seat: str
    card: str
    move: str
    result: Pawns
    evidence: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ViolationFound(OfKind, kind="violation"):
    """The table shows something that no legal move explains."""

    seat: str
    code: str
    breaks: list[str]
    seen: Mapping[str, str]
    """The table's differences from the accepted position: hole id → seat, or `empty`."""
    nearest: list[str]
    """Legal moves that come closest, the closest first."""
    repair: list[PawnStep]
    """The way back to the board before."""
    finish: list[PawnStep] | None = None
    """The way on to the board after the nearest legal move."""
    params: Mapping[str, str | int] | None = None
    """Numbers and names for the sentence of `code`; None in logs of earlier releases, which hold sentences instead."""
    message: StoredSentence | None = None
    """The sentence of an earlier release, reason and instruction in one."""
    reason: StoredSentence | None = None
    """The same without the instruction, to the player who moved."""
    others: StoredSentence | None = None
    """The same to the others."""


@dataclass(frozen=True, slots=True)
class QuestionAsked(OfKind, kind="question"):
    """Two or more explanations fit and differ in effect, or the card is not known."""

    seat: str
    about: QuestionTopic
    """`new_game` when all pawns have been put back into their camps."""
    choices: list[str]


@dataclass(frozen=True, slots=True)
class QuestionAnswered(OfKind, kind="question_answered"):
    """A person chose; `choice` is None when the question went away by itself."""

    seat: str
    choice: str | None
    by: str


@dataclass(frozen=True, slots=True)
class Repaired(OfKind, kind="repaired"):
    """The board is right again after a violation; `move` when it was mended into a legal move."""

    seat: str
    move: str | None


@dataclass(frozen=True, slots=True)
class PawnMissing(OfKind, kind="pawn_missing"):
    """Fewer pawns of a colour are on the table than belong there."""

    seat: str
    last_seen: list[str]


BY_AGREEMENT = "by agreement: 2S"
LET_PASS = "override "
"""Why a board stands that the host confirmed as the doing of a two of spades, whose powers the table agreed on."""


@dataclass(frozen=True, slots=True)
class Correction(OfKind, kind="correction"):
    """A correction of the position or the card by a person."""

    by: str
    why: str
    result: Pawns | None = None
    """The pawns from now on; None when they stay."""
    card: str | None = None
    """The laid card from now on; None when there is none."""
    to_move: str | None = None

    @property
    def is_a_turn(self) -> bool:
        """Whether the board stands by agreement: somebody's turn, which can be taken back like a move."""
        return self.result is not None and (self.why == BY_AGREEMENT or self.why.startswith(LET_PASS))


@dataclass(frozen=True, slots=True)
class TurnEnded(OfKind, kind="turn_ended"):
    """The turn goes to the next seat."""

    seat: str
    next: str


@dataclass(frozen=True, slots=True)
class MoveTakenBack(OfKind, kind="move_taken_back"):
    """The last accepted move no longer counts; the log keeps it."""

    by: str
    undoes: EventNumber
    """The `seq` of the event that no longer counts: a move, a discard."""


@dataclass(frozen=True, slots=True)
class SourceLost(OfKind, kind="source_lost"):
    """A source sees nothing any more."""

    source: str
    code: str


@dataclass(frozen=True, slots=True)
class SourceBack(OfKind, kind="source_back"):
    """A source sees the board again."""

    source: str


@dataclass(frozen=True, slots=True)
class Paused(OfKind, kind="paused"):
    """The referee looks away until the game is resumed."""

    by: str


@dataclass(frozen=True, slots=True)
class Resumed(OfKind, kind="resumed"):
    """The referee looks again."""

    by: str


@dataclass(frozen=True, slots=True)
class ModeSet(OfKind, kind="mode_set"):
    """The host chose how strict the referee is; it holds until changed."""

    mode: str
    """`recorder`, `coach`, `friendly` or `strict`."""
    by: str


@dataclass(frozen=True, slots=True)
class GameEnded(OfKind, kind="game_ended"):
    """Somebody won, or the table gave the game up (`winner` None)."""

    winner: list[str] | None
    why: str = "won"


Fact = (
    GameStarted
    | CardsDealt
    | CardPlayed
    | MoveAccepted
    | ViolationFound
    | QuestionAsked
    | QuestionAnswered
    | Repaired
    | PawnMissing
    | Correction
    | TurnEnded
    | MoveTakenBack
    | SourceLost
    | SourceBack
    | Paused
    | Resumed
    | ModeSet
    | GameEnded
)

FACT_TYPES: Mapping[str, type[Fact]] = {fact.KIND: fact for fact in Fact.__args__}


@dataclass(frozen=True, slots=True)
class Event:
    """A fact with its number in the log (`seq`, from 1, without gaps) and time (ms since the game started)."""

    seq: int
    t_ms: int
    fact: Fact = field()
