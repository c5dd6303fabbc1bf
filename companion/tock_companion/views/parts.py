"""The parts that views are made of; see `views.schema`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired

from typing_extensions import TypeAliasType, TypedDict

from tock_companion.events.facts import QuestionTopic
from tock_companion.language import Text
from tock_rules import HOLE_PATTERN


@dataclass(frozen=True, slots=True)
class Form:
    """The regular expression of a text, for the schema alone."""

    pattern: str

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, object]:
        """Called by pydantic, which this module need not import."""
        return {**handler(core), "pattern": self.pattern}


SeatName = TypeAliasType("SeatName", Annotated[str, Form("^P[0-7]$")])
CardName = TypeAliasType("CardName", Annotated[str, Form("^((A|[2-9]|10|J|Q|K)[SHDC]|JOK_[BC])$")])
HoleId = TypeAliasType("HoleId", Annotated[str, Form(f"^({HOLE_PATTERN})$")])
PlaceId = TypeAliasType("PlaceId", Annotated[str, Form(f"^({HOLE_PATTERN}|off)$")])
MoveText = TypeAliasType("MoveText", Annotated[str, Form("^P[0-7]:")])
Statement = TypeAliasType("Statement", Annotated[str, Form("^[A-Z][A-Z0-9]{2,9}-[0-9]{2}[a-z]?$")])

Expectation = Literal["give", "card", "move", "repair", "answer", "paused", "over"]
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
    """The board file in use; `/api/v1/board` has all of it."""

    id: str
    """Changes with any part of the board except its name."""
    name: str
    zones: int
    """4, 6 or 8."""


class SeatInfo(TypedDict):
    """One seat and its player."""

    seat: SeatName
    name: str
    """Empty while nobody sits there."""
    color: str
    taken: bool
    computer: str | None
    """Strength of the computer that plays for the seat."""
    team: int | None
    cards: int | None
    """The number of its cards; null while it is unknown."""


class FarSeatInfo(TypedDict):
    """State of somebody who plays from far away."""

    state: Literal["waiting", "here", "away", "gone"]
    """The link has not been opened yet; the phone is connected; the line is cut; the player has left."""
    seconds: int
    """Time in that state, in steps that people care about."""
    cards: Literal["drawn", "real"]
    """The companion draws them, or somebody at home photographs them."""
    sentence: Text


class SignInfo(TypedDict):
    """A player's newest sign: one of eight drawings, or a knock for the player to move."""

    number: int
    seat: SeatName | None
    """Null for somebody who looks on."""
    name: str
    """Theirs then; empty for a seat."""
    sign: Literal["clap", "laugh", "wow", "heart", "ouch", "think", "hurry", "tea", "knock"]


class FarHomeInfo(TypedDict):
    """State of the home whose game this board follows."""

    state: Literal["here", "prepares", "away", "ended"]
    """It answers; nobody has begun the game there; the line is cut; it has ended the common game."""
    sentence: Text


class WatchingInfo(TypedDict):
    """Those who only look on."""

    names: Sequence[str]
    """Of those far away."""
    others: int
    """At home, where nobody gives a name."""
    sentence: Text


class FarInfo(TypedDict):
    """Those who play from far away or look on, and the last sign between the homes."""

    seats: Mapping[SeatName, FarSeatInfo]
    sign: SignInfo | None
    home: FarHomeInfo | None
    """Null where this table follows no other."""
    watching: WatchingInfo | None
    """Null while nobody looks on."""


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
    """The move that a computer, or somebody far away, asks people to make."""

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
    """A legal move that comes close to the board as seen."""

    text: MoveText
    label: Text


class SpotInfo(TypedDict):
    """A place on the board beside the holes, in millimetres from the top left corner of the board file."""

    x_mm: float
    y_mm: float


class GuidanceInfo(TypedDict):
    """An instruction although nothing is wrong: shown calmly, and it disappears by itself."""

    code: str
    """`unfinished/…` of a move under way, `loose/…` of a pawn beside its hole, `hidden/…`, `taken_back`."""
    sentence: Text
    breaks: Sequence[Statement]
    """The statements of the rules behind it."""
    steps: Sequence[RepairStep]
    """The remaining steps, where only one move is under way."""
    places: Sequence[PlaceId]
    """The holes concerned."""
    spots: Sequence[SpotInfo]
    """The places of pawns beside the holes."""


class BoardWarning(TypedDict):
    """A mistake on the board, and the way back."""

    tone: Literal["wrong", "calm"]
    """`calm` where nobody has broken a rule: a pawn that is out of sight, a move taken back."""
    breaks: Sequence[Statement]
    """The statements of the rules that forbid it, the most specific first."""
    code: str
    seat: SeatName
    """The seat that reads `message`; everybody else reads `others`."""
    message: Text
    others: Text
    repair: Sequence[RepairStep]
    """The shortest way to a correct board."""
    wrong: Sequence[PlaceId]
    """Holes whose pawns do not belong there."""
    right: Sequence[PlaceId]
    """Holes that should have a pawn."""
    nearest: Sequence[NearestMove]
    leads_on: bool
    """Whether `repair` goes on to the nearest legal move, and `otherwise` back; else it is the other way round."""
    otherwise: Sequence[RepairStep]
    """The other way: on to the nearest legal move, or back to the board before."""
    spots: Sequence[SpotInfo]
    """The place of a pawn beside the holes."""
    may_pass: bool
    """The table plays among friends and may let this stand: `override`."""


class Choice(TypedDict):
    """One answer to a question."""

    id: str
    label: Text


class Question(TypedDict):
    """A question that the table cannot decide by itself."""

    about: QuestionTopic
    seat: SeatName
    sentence: Text
    choices: Sequence[Choice]


class ProposalInfo(TypedDict):
    """A proposal to take turns back, which all voters must agree to."""

    number: int
    by: SeatName
    to: int
    """`seq` of the first turn that would no longer count."""
    sentence: Text
    asked: SeatName | None
    """The player of the last move, who alone is asked to take it back; null where everybody votes."""
    waits_for: Sequence[SeatName]
    yes: Sequence[SeatName]


class HealthInfo(TypedDict):
    """A fault of the machine, not of the game; it disappears by itself."""

    code: str
    hole: HoleId | None
    sentence: Text


class SourceInfo(TypedDict):
    """The state of a camera or a reed board."""

    name: str
    condition: Literal["ok", "blind", "lost"]
    note: bool
    """Whether the sentence reports a fault."""
    sentence: Text


class LastPlayer(TypedDict):
    """Somebody who played the last game, and has no seat now."""

    seat: SeatName
    """Their seat at that time; free now."""
    name: str
    lang: str


class LobbyInfo(TypedDict):
    """Before a game: the people are in `seats`, the rules in `game`."""

    players: int
    """The number of players if the game begins now."""
    counts: Sequence[int]
    """The numbers of players that these rules and this board allow."""
    chosen: int | None
    """The host's number of players; null for as many as sit."""
    computers: str | None
    """Strength of the computers that will play for free seats; null for people without a phone."""
    team_sizes: Sequence[int]
    """The sizes of teams that the rules have for this number of players; 1 is everybody alone."""
    team_size: int
    """The size of the teams if the game begins now."""
    team_chosen: int | None
    """The host's choice; null for the usual teams."""
    last: Sequence[LastPlayer]
    """People who may sit down again as they did."""


class AbsentInfo(TypedDict):
    """The seat to move, though its player has left."""

    seat: SeatName
    name: str


class PracticeInfo(TypedDict):
    """A lesson of a practice, which is over when the game has ended."""

    seat: SeatName
    """The seat of the learner."""
    lesson: int
    """Its number, from 1."""
    lessons: int
    card: CardName
    """The card that it is about."""


class SeatRequest(TypedDict):
    """A request for a taken seat."""

    number: int
    seat: SeatName
    name: str
