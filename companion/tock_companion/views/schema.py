"""The shape of the views: the one source of the OpenAPI document, `docs/page-api.md` and the page's types.

Views are plain dictionaries to build and to send; `tock_web.describe` turns their types and the texts below them into
descriptions. Nothing is checked while the table runs: the tests hold every view of a whole game against it.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from typing_extensions import TypeAliasType, TypedDict

from tock_companion.language import Text
from tock_companion.views.parts import (
    AbsentInfo,
    Arrow,
    BoardInfo,
    BoardWarning,
    CardName,
    Expectation,
    FarInfo,
    GameInfo,
    GuidanceInfo,
    HealthInfo,
    HoleId,
    LobbyInfo,
    MoveText,
    Planned,
    PlayedMove,
    PracticeInfo,
    ProposalInfo,
    Question,
    SeatInfo,
    SeatName,
    SeatRequest,
    SeenHole,
    SourceInfo,
    Standing,
)


class ClubView(TypedDict):
    """The part of the public view that the page of a club draws."""

    game: GameInfo
    board: BoardInfo
    seats: Sequence[SeatInfo]
    to_move: SeatName
    card: CardName | None
    """Laid and not yet moved."""
    sentence: Text
    """The player to move and the expected action."""
    holes: Standing
    """The place of every pawn of the accepted position; a pawn in camp is drawn on a camp hole."""
    last_move: PlayedMove | None
    warning: BoardWarning | None


class PublicView(ClubView):
    """The public view; every other view adds to it."""

    revision: int
    """Grows with every change, and starts again with the companion."""
    planned: Planned | None
    stored_moves: Mapping[SeatName, int]
    """Second moves won by jokers and kept for later."""
    expects: Expectation
    givers: Sequence[SeatName]
    """Before the first card of a hand: those who have still to give their mate a card."""
    places: Mapping[SeatName, Text]
    """The same in words."""
    indices: Literal["language", "english", "french", "french_one", "german"]
    """The corner letters of the table's cards: J Q K, V D R (with 1 for the ace), or B D K."""
    seen: Mapping[HoleId, SeenHole]
    """Only the holes where the table looks different from `holes`, or is occluded."""
    guidance: GuidanceInfo | None
    """The rest of a move under way, or a request of the table for a better view."""
    lobby: LobbyInfo | None
    """The host's choices, while nobody has begun to play; null during a game."""
    host: SeatName | None
    """The seat that has the host's rights; null where another device has them, or nobody."""
    absent: AbsentInfo | None
    """Everybody is asked to decide the turn of a player who has left."""
    practice: PracticeInfo | None
    """The lesson to which the game belongs; null for one that counts."""
    far: FarInfo | None
    """Null where nobody plays from far away."""
    question: Question | None
    proposal: ProposalInfo | None
    recording: bool
    """Whether the host is recording, pictures included; every page says so."""
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
    """Number of legal moves it has, or would have if it were the seat's turn."""


class WithheldInfo(TypedDict):
    """The owner of a seat's hidden cards: somebody who sat there before."""

    name: str
    """Empty for a computer, and where nobody knows."""
    computer: bool
    refused: bool
    """Whether they refuse to show them."""


class HandInfo(TypedDict):
    """A seat's own hand, as far as it is known."""

    cards: Sequence[HandCard]
    missing: int | None
    """Further cards that nobody entered; null while nothing is known."""
    doubtful: bool
    """It laid a card that was not among these."""
    whole: Sequence[Literal["down", "throw"]]
    """The ways in which the whole hand may leave now: laid `down`, or thrown to bring a pawn out."""
    next_deal: int
    """The number of cards in a new deal by the rules."""
    packs: int
    """The number of equal cards in the pack."""
    received: CardName | None
    """The card that the seat's mate has given it for this hand."""
    withheld: WithheldInfo | None
    """Nobody sees these cards until their owner agrees or there is a new deal; null for one's own."""


class Capture(TypedDict):
    """A pawn that a move sends back to its camp."""

    seat: SeatName
    hole: HoleId


class LegalMove(TypedDict):
    """A legal move of the card that is laid."""

    text: MoveText
    label: Text
    targets: Sequence[HoleId]
    """Holes where pawns of the move come to stand."""
    arrows: Sequence[Arrow]
    captures: Sequence[Capture]
    by_touch: bool
    """A tap plays it: no source sees the board, the move leaves it looking the same, or the seat is far away and a tap
    announces it.
    """


class SeatView(PublicView):
    """The view of one seat: the public view, its own hand and its own legal moves."""

    role: Literal["seat"]
    seat: SeatName
    your_turn: bool
    can_undo: bool
    undo_asks: SeatName | None
    """The player of the last move, who is asked; null where it is taken back at once."""
    can_discard: bool
    """The laid card, or any card while none is laid, may be thrown away if it has no legal move."""
    can_end_turn: bool
    """A stored move keeps the turn open."""
    by_touch: bool
    """No source sees the board: a tap on a legal move plays it."""
    photos_kept: bool
    """Whether the host records photos of hands for a report."""
    cards: Sequence[CardName]
    """The cards that may be laid now: the hand, or the whole pack while it is not known; with a card laid and no pawn
    moved yet, those that may take its place.
    """
    helping: Sequence[CardName]
    """Those of the whole pack with which the seat can move, where they are few."""
    may_take_back: bool
    """A card of this seat that lies on the table and has not been played."""
    hand: HandInfo
    wishes: Sequence[SeatRequest]
    legal_moves: Sequence[LegalMove]


VIEW_FORM = 1
"""Of the views: raised with a change that a page of an earlier release could not draw."""
View = TypeAliasType("View", TableView | WatchView | HostView | SeatView)


class Heartbeat(TypedDict):
    """A sign of life of a stream on which nothing happens."""

    revision: int


class Action(TypedDict):
    """The player and the action; seat, card and text are null where there is none."""

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
    """A game step by step, without anyone's hand."""

    ruleset: str | None
    seats: Sequence[SeatName]
    steps: Sequence[ReplayStep]


class ReplayView(ReplaySteps):
    """A game of the archive step by step."""

    number: int
