"""Requests to the table: one frozen dataclass for each kind.

The reference of `make api` describes each kind; `core.handlers` says who may ask it, and when.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from tock_companion.core.fields import (
    MAX_CARDS,
    CardCount,
    CardValue,
    Confidence,
    Flag,
    Hand,
    HoleId,
    Number,
    OptionName,
    OptionValue,
    SeatValue,
    ShortText,
)
from tock_companion.core.indices import Indices
from tock_companion.events.facts import GiftKind, OfKind
from tock_rules import MAX_PAWNS

RulesetName = Annotated[str, Field(strict=True, pattern=r"^[a-z0-9-]{1,40}$")]
PlayerCount = Annotated[int, Field(strict=True, ge=2, le=8)]
TeamSize = Annotated[int, Field(strict=True, ge=1, le=4)]


class _Checked(OfKind):
    """Base of everything that is read from JSON: unknown keys are refused."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class PlayCard(_Checked, kind="play_card"):
    """Lays a card face up; a computer names the `move` that people make for it. `begins`: the lobby's game."""

    card: CardValue
    move: ShortText | None = None
    begins: bool = False


@dataclass(frozen=True, slots=True)
class WithdrawCard(_Checked, kind="withdraw_card"):
    """Takes the laid card back, as long as nothing has moved."""


@dataclass(frozen=True, slots=True)
class Discard(_Checked, kind="discard"):
    """Throws a card away: the laid one if none is named; with `cards` the whole hand is laid down."""

    card: CardValue | None = None
    cards: Hand | None = None


@dataclass(frozen=True, slots=True)
class ThrowHand(_Checked, kind="throw_hand"):
    """Throws a whole hand to bring a pawn out."""

    cards: Hand = ()


@dataclass(frozen=True, slots=True)
class MovePawns(_Checked, kind="move"):
    """Plays a legal move that was tapped; with `force` even while a source sees the board."""

    text: ShortText
    force: Flag = False


@dataclass(frozen=True, slots=True)
class EndTurn(_Checked, kind="end_turn"):
    """Ends a turn that a stored move keeps open."""


@dataclass(frozen=True, slots=True)
class SetHand(_Checked, kind="hand_set"):
    """Tells a seat's own hand; `count` includes the cards that could not be read."""

    cards: Hand = ()
    count: CardCount | None = None


@dataclass(frozen=True, slots=True)
class CardReading(_Checked):
    """One card read from a photo: the likeliest cards, best first, and how sure the first one is."""

    likely: Annotated[tuple[CardValue, ...], Field(min_length=1, max_length=54)]
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class CheckHand(_Checked, kind="hand_check"):
    """Asks which cards the readings of a photo can be under the rules."""

    readings: Annotated[tuple[CardReading, ...], Field(max_length=MAX_CARDS)]


@dataclass(frozen=True, slots=True)
class DrawHand(_Checked, kind="hand_draw"):
    """Deals a seat the cards it lacks: a computer's, or that of a far player whose cards are drawn."""


@dataclass(frozen=True, slots=True)
class Deal(_Checked, kind="deal"):
    """Gives everybody a new hand, of as many cards as the rules say if `count` is left out."""

    count: Annotated[CardCount, Field(ge=1)] | None = None


@dataclass(frozen=True, slots=True)
class Give(_Checked, kind="give"):
    """Gives a card to the seat's mate before anybody plays, or takes it back as long as others have still to give.

    `unnamed` where real cards went from hand to hand: a known hand is the one after that. Recordings have no card.
    """

    card: CardValue | None = None
    how: GiftKind = "named"


@dataclass(frozen=True, slots=True)
class DecideNow(_Checked, kind="decide_now"):
    """The turn button: the referee decides without waiting any longer."""


@dataclass(frozen=True, slots=True)
class Answer(_Checked, kind="answer"):
    """Answers the referee's question."""

    choice: ShortText


@dataclass(frozen=True, slots=True)
class Undo(_Checked, kind="undo"):
    """Takes one's own last move back, asks the player of the last one to; the host also goes back to a turn.

    `to` is the `seq` of that turn, which no longer counts, nor do all later ones.
    """

    to: Number | None = None


@dataclass(frozen=True, slots=True)
class ProposeBack(_Checked, kind="propose_back"):
    """Proposes to take back that turn and all later ones."""

    to: Number


@dataclass(frozen=True, slots=True)
class VoteBack(_Checked, kind="vote_back"):
    """Answers a proposal."""

    number: Number
    yes: Flag


@dataclass(frozen=True, slots=True)
class PawnChange(_Checked):
    """One pawn stands in another hole than the table believes."""

    seat: SeatValue
    source: Annotated[HoleId, Field(alias="from")]
    target: Annotated[HoleId, Field(alias="to")]


MAX_CHANGES = 8 * MAX_PAWNS
"""A board of eight zones has this many pawns."""


@dataclass(frozen=True, slots=True)
class Correct(_Checked, kind="correct"):
    """Says where pawns really stand."""

    changes: Annotated[tuple[PawnChange, ...], Field(min_length=1, max_length=MAX_CHANGES)]
    why: ShortText = "the camera is wrong"


@dataclass(frozen=True, slots=True)
class AcceptBoard(_Checked, kind="accept_board"):
    """Takes the board as it is seen for right."""


@dataclass(frozen=True, slots=True)
class Override(_Checked, kind="override"):
    """Lets a wrong board stand, in friendly mode."""


@dataclass(frozen=True, slots=True)
class SetMode(_Checked, kind="set_mode"):
    """Chooses how strict the referee is."""

    mode: Literal["recorder", "coach", "friendly", "strict"]


@dataclass(frozen=True, slots=True)
class Pause(_Checked, kind="pause"):
    """Has the referee look away."""


@dataclass(frozen=True, slots=True)
class Resume(_Checked, kind="resume"):
    """Has the referee look again."""


@dataclass(frozen=True, slots=True)
class NewGame(_Checked, kind="new_game"):
    """Ends the game and starts another, in which everybody plays who sits.

    `position` is `seen` to start from the board as it stands; `team_size` 1 is everybody alone, none as is usual.
    """

    ruleset: RulesetName = "mjc"
    options: Annotated[Mapping[OptionName, OptionValue], Field(max_length=100)] = field(default_factory=dict)
    players: PlayerCount | None = None
    first: SeatValue | None = None
    position: Literal["seen"] | None = None
    team_size: TeamSize | None = None


Strength = Literal["easy", "medium", "strong"]
"""The strength of a computer."""


@dataclass(frozen=True, slots=True)
class Prepare(_Checked, kind="prepare"):
    """Opens the lobby before a game with these choices; a game that runs is ended. No `players`: as many as sit."""

    ruleset: RulesetName = "mjc"
    options: Annotated[Mapping[OptionName, OptionValue], Field(max_length=100)] = field(default_factory=dict)
    players: PlayerCount | None = None
    first: SeatValue | None = None
    computers: Strength | None = None
    team_size: TeamSize | None = None


@dataclass(frozen=True, slots=True)
class Begin(_Checked, kind="begin"):
    """Begins the game that the lobby has prepared."""


@dataclass(frozen=True, slots=True)
class Rematch(_Checked, kind="rematch"):
    """Begins the same game again, with the next seat; with `rotate` people change places first."""

    rotate: Flag = False


@dataclass(frozen=True, slots=True)
class Practise(_Checked, kind="practise"):
    """Begins a practice for this seat, out of the lobby; then its next lesson, or the same one from the start."""


@dataclass(frozen=True, slots=True)
class EndPractice(_Checked, kind="end_practice"):
    """Ends the practice; the lobby is as it was before."""


@dataclass(frozen=True, slots=True)
class HandHost(_Checked, kind="hand_host"):
    """Hands the host's rights to the player of that seat."""

    seat: SeatValue


@dataclass(frozen=True, slots=True)
class Pair(_Checked, kind="pair"):
    """Makes two people partners before a game: `second` moves to where the partner of `first` sits."""

    first: SeatValue
    second: SeatValue


@dataclass(frozen=True, slots=True)
class SetIndices(_Checked, kind="set_indices"):
    """Names the letters in the corners of the table's cards."""

    indices: Indices


@dataclass(frozen=True, slots=True)
class AnswerAbsent(_Checked, kind="answer_absent"):
    """Says what happens on the turn of a player who has left: a computer plays on, the turn passes, or all wait."""

    seat: SeatValue
    choice: Literal["computer", "skip", "wait"]


@dataclass(frozen=True, slots=True)
class AnswerSeat(_Checked, kind="answer_seat"):
    """Answers a request for a taken seat."""

    number: Number
    yes: Flag


@dataclass(frozen=True, slots=True)
class SetComputer(_Checked, kind="set_computer"):
    """Has a computer play for a free seat; no `strength` means none."""

    seat: SeatValue
    strength: Strength | None = None


@dataclass(frozen=True, slots=True)
class FreeSeat(_Checked, kind="free_seat"):
    """Takes a seat from its holder."""

    seat: SeatValue


Body = (
    PlayCard | WithdrawCard | Discard | ThrowHand | MovePawns | EndTurn
    | SetHand | CheckHand | DrawHand | Deal | Give
    | DecideNow | Answer | Undo | ProposeBack | VoteBack
    | Correct | AcceptBoard | Override | SetMode | Pause | Resume
    | NewGame | Prepare | Begin | Rematch | Practise | EndPractice | HandHost | AnswerAbsent
    | AnswerSeat | SetComputer | FreeSeat | Pair | SetIndices
)  # fmt: skip
"""The body of any request."""
AboutTheTable = HandHost | AnswerSeat | SetComputer | FreeSeat | Pair | SetIndices
"""Requests about the people and cards of the table, in any game."""
AboutPlay = (
    PlayCard | WithdrawCard | Discard | ThrowHand | MovePawns | EndTurn | Deal | Give
    | DecideNow | Answer | Undo | ProposeBack | VoteBack | Correct | AcceptBoard | Override
    | SetMode | Pause | Resume | NewGame | Prepare | Begin | Rematch | Practise | EndPractice | AnswerAbsent
)  # fmt: skip
"""Requests that the table which records a game answers, also for people at another board."""
FAR_PLAY = frozenset(
    body.KIND
    for body in (
        PlayCard, WithdrawCard, Discard, ThrowHand, MovePawns, EndTurn, Answer, Undo, ProposeBack, VoteBack,
        AnswerAbsent, Give,
    )
)  # fmt: skip
"""Requests of players far away, on a phone as at another board: none touches a hand but by a gift, or the home's board.
"""
HAND_KINDS = frozenset({SetHand.KIND, CheckHand.KIND, DrawHand.KIND, Deal.KIND, Give.KIND})
"""Requests about hands, which a report leaves out."""
BODIES: Mapping[str, type[Body]] = {body.KIND: body for body in Body.__args__}
