"""Answers about the game: rules, archive, evidence, hints."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from tock_companion.hints.advice import Doing
from tock_companion.language import Text
from tock_companion.views.parts import (
    Arrow,
    CardName,
    HoleId,
    MoveText,
    PlaceId,
    PlayedMove,
    SeatName,
    Statement,
)


class RulesetRow(TypedDict):
    """A game to choose: a printed ruleset, or one of the family's own."""

    name: str
    title: Text
    line: Text
    """Its special feature, in one line."""
    options: Mapping[str, bool | int | str]
    """The rules that a game of the family's own changes; a printed game has none."""
    players: Mapping[str, Sequence[SeatName]]
    """The seats that play, for each number of players."""


class Rulesets(TypedDict):
    """All rulesets."""

    rulesets: Sequence[RulesetRow]


class OptionRow(TypedDict):
    """A house rule."""

    name: str
    kind: str
    """`yes/no`, `choice` or `number`."""
    allowed: Sequence[bool | int | str]
    usual: bool | int | str
    """The value that the ruleset gives it."""
    text: Text
    labels: Sequence[Text]
    """The allowed values in words, in their order."""
    differs: bool
    """Whether the ruleset differs from most others here."""


class Options(TypedDict):
    """All house rules."""

    options: Sequence[OptionRow]


class RuleSection(TypedDict):
    """A heading and its sentences."""

    heading: Text
    lines: Sequence[Text]


class Rules(TypedDict):
    """The rules in plain words."""

    name: str
    title: Text
    sections: Sequence[RuleSection]


class Sentences(TypedDict):
    """The sentences of the statements asked for, as the present game plays them."""

    sentences: Sequence[Text]


class GameRow(TypedDict):
    """A game of the archive."""

    number: int
    started_at: str | None
    """ISO 8601."""
    ruleset: str
    title: Text
    """Of the ruleset."""
    people: Text
    """The sides of the game, by name where they are known."""
    seats: Sequence[SeatName]
    moves: int
    winner: Sequence[SeatName] | None
    won: Text | None
    """The winners in a sentence; null where there are none."""
    ended: bool


class Games(TypedDict):
    """All games, the newest first."""

    games: Sequence[GameRow]
    pictures: bool
    """Whether their boards can be drawn."""
    names: Sequence[str]
    """All names in them and in the scores, to forget one."""


class ScoreRow(TypedDict):
    """Somebody's number of wins."""

    name: str
    won: int
    played: int


class Ending(TypedDict):
    """The end of a game, and the wins so far."""

    winner: Sequence[SeatName]
    """Null where the game is not over or was given up."""
    turns: int
    story: Sequence[Text]
    """The story of the game: what turned it, who took whom, who walked furthest; six lines at most."""
    evening: Sequence[ScoreRow]
    """The games of this evening, the most wins first."""
    always: Sequence[ScoreRow]
    """The games of all saved evenings."""
    evenings: int


class BestMoveInfo(TypedDict):
    """The move that beat its alternatives with the same card by most; null where none beats them beyond chance."""

    ready: bool
    """Whether the search is over; ask again where not."""
    best: PlayedMove | None
    points: int
    """Gain in the chance to win, in hundredths."""


class FilmInfo(TypedDict):
    """The progress of the film of the game that has ended."""

    state: Literal["none", "making", "ready", "failed"]
    percent: int


class KeptChair(TypedDict):
    """A seat of a kept game."""

    seat: SeatName
    name: str
    """The player then; empty where nobody knows, and for a computer."""
    now: SeatName | None
    """The present seat of the person who would play on there."""


class KeptGameInfo(TypedDict):
    """A game brought along as a log, before it goes on."""

    started_at: str | None
    """ISO 8601."""
    title: Text
    """Of the ruleset."""
    moves: int
    over: bool
    """Whether somebody has won, so that it cannot go on."""
    sentence: Text
    """The sentence with the seat to play, or the winner."""
    chairs: Sequence[KeptChair]


@with_config(ConfigDict(extra="allow", use_attribute_docstrings=True))
class LogEvent(TypedDict):
    """An event of the log, with the fields of its kind beside these (docs/formats.md)."""

    v: int
    """Version of the log's form."""
    seq: int
    t_ms: int
    event: str
    """Its kind, such as `move_accepted`."""


class Journal(TypedDict):
    """The newest events of the log as they are logged, the newest first."""

    events: Sequence[LogEvent]
    position: str
    """The position as `Position.parse` of `tock_rules` reads it, for a report."""


class Evidence(TypedDict):
    """The evidence for an accepted move."""

    game: int
    seq: int
    t_ms: int
    seat: SeatName
    card: CardName
    move: MoveText
    by: str | None
    """The origin of the move: `board`, `touch`, `answer`, …"""
    probability: float | None
    rule: Sequence[Statement]
    pictures: Sequence[str]
    """Names to ask `/api/v1/evidence/picture` for: `before/T20`, `after/T20`, `card`."""
    places: Mapping[PlaceId, Text]
    """The holes of the pictures in words."""


class HintRules(TypedDict):
    """The advice that the host allows."""

    most: Literal["off", "nudge", "hint", "teacher"]
    per_seat: int | None
    """Hints for each seat; null for any number."""


class HintReason(TypedDict):
    """One true statement about a move."""

    code: str
    text: Text


class Advised(TypedDict):
    """A suggested action; a nudge has only `doing` and `card`, and only a move has the fields that draw it."""

    doing: Doing
    card: CardName | None
    value: NotRequired[float]
    """Estimated chance that the seat's side wins, 0 to 1."""
    reasons: NotRequired[Sequence[HintReason]]
    text: NotRequired[MoveText]
    label: NotRequired[Text]
    targets: NotRequired[Sequence[HoleId]]
    arrows: NotRequired[Sequence[Arrow]]


class HintAnswer(TypedDict):
    """Advice to the seat that asked."""

    ok: Literal[True]
    level: Literal["nudge", "hint", "teacher"]
    best: Advised
    played: NotRequired[Advised | None]
    """Of `teacher`: the player's own move."""
    even: NotRequired[bool]
    """Of `teacher`: whether it was as good as the best."""
