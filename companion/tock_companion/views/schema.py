"""The shape of the views: the one place that the OpenAPI document, `docs/page-api.md` and the page's types come from.

These are plain dictionaries to build and to send; `tock_web.describe` turns their types and the texts below them into
descriptions. Nothing is checked while the table runs: the tests hold every view that a whole game sends against it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from tock_companion.events.facts import QuestionTopic
from tock_companion.language import Text


@dataclass(frozen=True, slots=True)
class Form:
    """The regular expression of a text, for the schema alone."""

    pattern: str

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, object]:
        """Called by pydantic, which this module need not import."""
        return {**handler(core), "pattern": self.pattern}


SeatName = TypeAliasType("SeatName", Annotated[str, Form("^P[0-7]$")])
CardName = TypeAliasType("CardName", Annotated[str, Form("^((A|[2-9]|10|J|Q|K)[SHDC]|JOK_[BC])$")])
HoleId = TypeAliasType("HoleId", Annotated[str, Form("^(T[0-9]{1,3}|P[0-7]-[CH][1-4]|C)$")])
PlaceId = TypeAliasType("PlaceId", Annotated[str, Form("^(T[0-9]{1,3}|P[0-7]-[CH][1-4]|C|off)$")])
MoveText = TypeAliasType("MoveText", Annotated[str, Form("^P[0-7]:")])
Statement = TypeAliasType("Statement", Annotated[str, Form("^R[0-9]{3}-[0-9]{2}[a-z]?$")])

Expectation = Literal["card", "move", "repair", "answer", "paused", "over"]
Standing = TypeAliasType("Standing", Mapping[HoleId, SeatName])


class GameInfo(TypedDict):
    """The running game."""

    ruleset: str
    options: Mapping[str, object]
    """House rules that differ from the ruleset."""
    seq: int
    """Number of the newest event in the log."""
    paused: bool
    mode: Literal["recorder", "coach", "friendly", "strict"]
    """`recorder` is silent, in `friendly` a wrong board may stand, in `strict` a laid card and a released pawn bind."""
    ended: bool
    winner: Sequence[SeatName] | None


class BoardInfo(TypedDict):
    """Which board file is in use; `/api/v1/board` has all of it."""

    name: str
    zones: int
    """4, 6 or 8."""


class SeatInfo(TypedDict):
    """One seat and who sits there."""

    seat: SeatName
    name: str
    """Empty while nobody sits there."""
    color: str
    taken: bool
    computer: str | None
    """Strength of the computer that plays for the seat."""
    team: int | None
    cards: int | None
    """How many cards it holds; null while nobody told."""


class SeenHole(TypedDict):
    """A hole that looks different from the accepted position, or that is occluded."""

    state: Literal["empty", "pawn", "unknown"]
    seat: SeatName | None


_From = TypedDict("_From", {"from": HoleId})


class Arrow(_From):
    """One part of a move as it is drawn."""

    seat: SeatName
    to: HoleId
    kind: Literal["start", "move", "jump", "line", "swap", "centre_in", "centre_out", "throw"]
    via: NotRequired[HoleId]
    """The summit where a jump turns, or where a dotted line comes out."""


class Planned(TypedDict):
    """The move that a computer asks people to make for it."""

    seat: SeatName
    card: CardName
    text: MoveText
    label: Text
    targets: Sequence[HoleId]
    arrows: Sequence[Arrow]


class PlayedMove(TypedDict):
    """An accepted move, in the history."""

    seq: int
    t_ms: int
    seat: SeatName
    card: CardName
    text: MoveText
    label: Text
    arrows: Sequence[Arrow]


_FromPlace = TypedDict("_FromPlace", {"from": str})


class RepairStep(_FromPlace):
    """One pawn to put somewhere else; `from` and `to` are places in the notation of moves."""

    seat: SeatName
    to: str
    from_hole: PlaceId
    to_hole: PlaceId
    sentence: Text


class NearestMove(TypedDict):
    """A legal move that comes close to what is seen."""

    text: MoveText
    label: Text


class BoardWarning(TypedDict):
    """What is wrong on the board, and the way back."""

    breaks: Sequence[Statement]
    """The statements of the rules that forbid it, the most specific first."""
    code: str
    message: Text
    repair: Sequence[RepairStep]
    """The way back to the board before."""
    wrong: Sequence[PlaceId]
    """Holes whose pawns do not belong there."""
    right: Sequence[PlaceId]
    """Holes that should have a pawn."""
    nearest: Sequence[NearestMove]
    finish: Sequence[RepairStep]
    """The way on to the nearest legal move."""


class Choice(TypedDict):
    """One answer to a question."""

    id: str
    label: Text


class Question(TypedDict):
    """What the table cannot decide by itself."""

    about: QuestionTopic
    seat: SeatName
    sentence: Text
    choices: Sequence[Choice]


class ProposalInfo(TypedDict):
    """A proposal to take back several turns, which everybody seated must agree to."""

    number: int
    by: SeatName
    to: int
    """`seq` of the first turn that would no longer count."""
    sentence: Text
    waits_for: Sequence[SeatName]
    yes: Sequence[SeatName]


class HealthInfo(TypedDict):
    """Something wrong with the machine, not with the game; it goes away by itself."""

    code: str
    hole: HoleId | None
    sentence: Text


class SourceInfo(TypedDict):
    """How a camera or a reed board is doing."""

    name: str
    condition: Literal["ok", "blind", "lost"]
    note: bool
    """Whether the sentence says more than that all is well."""
    sentence: Text


class SeatRequest(TypedDict):
    """Somebody asks for a seat that is taken."""

    number: int
    seat: SeatName
    name: str


class PublicView(TypedDict):
    """What anybody may see; every other view adds to it."""

    revision: int
    """Grows with every change, and starts anew with the companion."""
    game: GameInfo
    board: BoardInfo
    seats: Sequence[SeatInfo]
    to_move: SeatName
    card: CardName | None
    """Laid and not yet moved."""
    planned: Planned | None
    stored_moves: Mapping[SeatName, int]
    """Second moves won by jokers and kept for later."""
    expects: Expectation
    sentence: Text
    """Whose turn it is and what they should do."""
    holes: Standing
    """Where every pawn of the accepted position stands; a pawn in camp is drawn on a camp hole."""
    places: Mapping[SeatName, Text]
    """The same in words."""
    seen: Mapping[HoleId, SeenHole]
    """Only the holes where the table looks different from `holes`, or is occluded."""
    last_move: PlayedMove | None
    warning: BoardWarning | None
    question: Question | None
    proposal: ProposalInfo | None
    health: Sequence[HealthInfo]
    sources: Sequence[SourceInfo]
    history: Sequence[PlayedMove]
    """The newest moves that count, oldest first."""


class TableView(PublicView):
    """The view of the device that lies on the table."""

    role: Literal["table"]


class WatchView(PublicView):
    """The view of spectators."""

    role: Literal["watch"]


class HostView(PublicView):
    """The view of the host, who sees no hand."""

    role: Literal["host"]
    can_undo: bool
    wishes: Sequence[SeatRequest]


class HandCard(TypedDict):
    """A card of one's own hand."""

    card: CardName
    moves: int
    """How many legal moves it has, or would have if it were the seat's turn."""


class HandInfo(TypedDict):
    """A seat's own hand, as far as it was told."""

    cards: Sequence[HandCard]
    missing: int | None
    """Cards it holds besides, which nobody entered; null while nothing is known."""
    doubtful: bool
    """It laid a card that was not among these."""
    whole: Sequence[Literal["down", "throw"]]
    """How the whole hand may leave now: laid `down`, or thrown to bring a pawn out."""
    next_deal: int
    """How many cards a new deal brings by the rules."""
    packs: int
    """How many equal cards there may be."""


class Capture(TypedDict):
    """A pawn that a move sends back to its camp."""

    seat: SeatName
    hole: HoleId


class LegalMove(TypedDict):
    """A legal move of the card that is laid."""

    text: MoveText
    label: Text
    targets: Sequence[HoleId]
    """Where pawns of the move come to stand."""
    arrows: Sequence[Arrow]
    captures: Sequence[Capture]
    by_touch: bool
    """A tap plays it: no source sees the board, or the move leaves the board looking the same."""


class SeatView(PublicView):
    """The view of one seat: what is public, its own hand and its own legal moves."""

    role: Literal["seat"]
    seat: SeatName
    your_turn: bool
    can_undo: bool
    can_discard: bool
    """The laid card, or any card while none is laid, may be thrown away if it has no legal move."""
    can_end_turn: bool
    """A stored move keeps the turn open."""
    by_touch: bool
    """No source sees the board: a tap on a legal move plays it."""
    photos_kept: bool
    """The host records photos of hands for a report."""
    cards: Sequence[CardName]
    """The cards that may be laid now: the hand, or the whole pack while it is not known."""
    hand: HandInfo
    wishes: Sequence[SeatRequest]
    legal_moves: Sequence[LegalMove]


View = TypeAliasType("View", TableView | WatchView | HostView | SeatView)


class Heartbeat(TypedDict):
    """A sign of life of a stream on which nothing happens."""

    revision: int


class Action(TypedDict):
    """Who did what; seat, card and text are null where there is none."""

    seat: SeatName | None
    card: CardName | None
    text: MoveText | None
    label: Text
    arrows: Sequence[Arrow]


class ReplayStep(Action):
    """One step of a game and the board after it."""

    seq: int
    t_ms: int
    hand: int
    """Number of the deal that it was played in."""
    holes: Standing


class ReplaySteps(TypedDict):
    """A game step by step; nobody's hand is in it."""

    ruleset: str | None
    seats: Sequence[SeatName]
    steps: Sequence[ReplayStep]


class ReplayView(ReplaySteps):
    """A game of the archive step by step."""

    number: int
