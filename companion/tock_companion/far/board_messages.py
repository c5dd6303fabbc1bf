"""Messages between a home table and a table with a board elsewhere, inside sealed frames.

Up, one of these in each message: `have` at the beginning of every session, `shows`, `later`, `sit`, `stand`, `ask`,
`sign`.
Down: `game` with `first` and `facts`, and `started` where the game is new there; `cards` that people there give or
get, by the place of the fact; `names` with `seats` and `lobby`; `answer`; `sign`.
"""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from tock_companion.core.fields import CardValue, PersonName, SeatValue, well_formed
from tock_companion.core.following import is_shared
from tock_companion.core.requests import Reply, refused
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_json, event_to_json, event_to_line
from tock_companion.events.facts import Event, Fact, GameStarted
from tock_companion.language import DEFAULT, Language
from tock_companion.schema import A_SEEN_NAME, Schema, refuse, unsound
from tock_companion.views.phrases import known
from tock_companion.views.state import Sign
from tock_rules import own_files

Document = Mapping[str, object]
SIGN_S = 6.0
"""A sign is shown so long, in both homes."""
BUNDLE = 60
"""Facts in one message: a move with its evidence is about half a kilobyte."""
MAX_FACTS = 100_000
Code = Annotated[str, Field(max_length=32)]
Count = Annotated[int, Field(strict=True, ge=0, le=MAX_FACTS)]
Place = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
MAX_TEXT_CHARS, MAX_VALUES = 500, 20_000
"""Of one fact; a board file has the most values, and a reason the longest text."""
Sentence = Annotated[str, Field(max_length=MAX_TEXT_CHARS), AfterValidator(well_formed)]


class Have(Schema):
    """Record of a board: a game by its code, and how many of its facts."""

    game: Code
    facts: Count


class Sit(Schema):
    """A player sits down at the board."""

    seat: SeatValue
    name: PersonName
    lang: Language = DEFAULT


class Ask(Schema):
    """A request from the board; one whose `id` was answered is not asked again."""

    id: Code
    seat: SeatValue
    kind: Annotated[str, Field(max_length=40)]
    data: dict[str, Any] = Field(default_factory=dict)


class SignFrom(Schema):
    """A sign of a seat, or of a spectator, for everybody in both homes; its number is the home table's."""

    seat: SeatValue | None = None
    sign: Sign
    number: Count = 0
    name: Annotated[str, Field(max_length=40), A_SEEN_NAME] = ""


class Word(Schema):
    have: Have | None = None
    shows: Count | None = None
    """The facts with which the board showed the position."""
    later: bool = False
    sit: Sit | None = None
    stand: SeatValue | None = None
    ask: Ask | None = None
    sign: SignFrom | None = None


class Answered(Schema):
    """The reply to a request from the board."""

    id: Code
    ok: bool
    code: Annotated[str, Field(pattern=r"^[a-z0-9_/-]{0,60}$")]
    message: Annotated[dict[Annotated[str, Field(max_length=8)], Sentence], Field(max_length=8)] | None = None

    def reply(self) -> Reply:
        """The reply as the own table would give it; its words are those of the home table."""
        if self.message is None and not self.ok and known(f"refuse/{self.code}"):
            return refused(self.code)
        return Reply(self.ok, self.code, sentence=self.message)


class News(Schema):
    game: Code | None = None
    first: Count = 0
    facts: Annotated[list[dict[str, Any]], Field(max_length=BUNDLE)] = Field(default_factory=list)
    cards: Annotated[dict[Place, CardValue], Field(max_length=BUNDLE)] = Field(default_factory=dict)
    started: dict[str, Any] | None = None
    names: Annotated[dict[SeatValue, PersonName], Field(max_length=8)] | None = None
    """The names at the home table, by seat."""
    seats: Annotated[list[SeatValue], Field(max_length=8)] = Field(default_factory=list)
    """The seats of the people at this board."""
    lobby: bool = False
    """With the names: whether the game has not begun."""
    answer: Answered | None = None
    sign: SignFrom | None = None


def game_code(started: GameStarted) -> str:
    """The code of a game: of its beginning at home, whatever board it is copied to."""
    line = event_to_line(Event(1, 0, started))
    return hashlib.sha256(line.encode()).hexdigest()[:32]


def fact_to_json(fact: Fact) -> Document:
    """A fact as a document; number and time are those of each log."""
    document = event_to_json(Event(1, 0, fact))
    return {name: value for name, value in document.items() if name not in ("seq", "t_ms")}


def fact_from_json(document: Document) -> Fact:
    """Read a fact; raises BadInputError, also for one that no table records of another."""
    refuse("fact", unsound(document))
    file = document.get("ruleset_file")
    if isinstance(file, str) and len(file) > own_files.MAX_BYTES:
        raise BadInputError("the fact is too long")
    _refuse_large({name: value for name, value in document.items() if name != "ruleset_file"})
    fact = event_from_json({**document, "seq": 1, "t_ms": 0}).fact
    if not (isinstance(fact, GameStarted) or is_shared(fact)):
        raise BadInputError(f"'{fact.KIND}' is not for another table")
    return fact


def _refuse_large(document: object) -> None:
    waiting, count = [document], 0
    while waiting:
        value, count = waiting.pop(), count + 1
        if count > MAX_VALUES or (isinstance(value, str) and len(value) > MAX_TEXT_CHARS):
            raise BadInputError("the fact is too long")
        if isinstance(value, Mapping):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value


def started_from_json(document: Document) -> GameStarted:
    """Read the beginning of a game; raises BadInputError."""
    fact = fact_from_json(document)
    if not isinstance(fact, GameStarted):
        raise BadInputError("this is not the beginning of a game")
    return fact
