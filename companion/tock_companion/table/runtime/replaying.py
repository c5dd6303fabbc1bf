"""Runs a recording through the whole pipeline, as fast as it can, always with the same result."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tock_companion.boardfile import BoardFile
from tock_companion.core.bodies import CheckHand
from tock_companion.core.draft import Step
from tock_companion.core.following import CopyReport
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Reply, Request, Role, parse_request
from tock_companion.core.roster import Roster
from tock_companion.core.state import SWITCH_LAG_MS, Copying, CoreState
from tock_companion.core.step import Tick, begin_game, step
from tock_companion.errors import BadInputError, printable
from tock_companion.events.facts import Event, GameStarted
from tock_companion.events.game import Game, fold
from tock_companion.events.hands import fold_hands
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_companion.sources.logs import felt, seen
from tock_companion.sources.recording import Recording
from tock_companion.sources.recording_lines import FrameRow, ReedRow, RequestRow, Row, SeenRow
from tock_companion.table.runtime.recorder import COPY, TICK
from tock_rules import Hole, Position, Seat, camp_holes_of

ReadFrames = Callable[[Path, BoardFile, Sequence[Mapping[str, object]]], Iterable[SourceMessage]]
"""Reads the frames of a recording folder with its calibration pictures into messages, in order: only packages above the
companion know pixels.
"""


@dataclass(frozen=True, slots=True)
class _Input:
    """One input (None: the table looked again by itself) and its place in the order."""

    row: Row
    rank: int
    item: SourceMessage | Request | CopyReport | None

    @property
    def t_ms(self) -> int:
        return self.row.t_ms

    @property
    def numbered(self) -> bool:
        """Whether the recording tells the exact order; else time does, and within a moment the kind of input."""
        return self.row.n is not None

    @property
    def order(self) -> tuple[int, int]:
        return (self.row.n, 0) if self.row.n is not None else (self.t_ms, self.rank)


class DryTable:
    """A table that keeps nothing and has no clock: every call is one step, and gives the events that it recorded."""

    def __init__(self, begun: Step) -> None:
        self.state = begun.state

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def position(self) -> Position:
        return self.state.position

    @property
    def deadline_ms(self) -> int | None:
        return self.state.deadline_ms

    def begin_again(self, fact: GameStarted, t_ms: int) -> list[Event]:
        """Begin another game on the same table."""
        return self._to(begin_game(self.state.roster, fact, t_ms, before=self.state))

    def take(self, message: SourceMessage) -> list[Event]:
        return self._to(step(self.state, message, message.t_ms))

    def hear(self, report: CopyReport, t_ms: int) -> list[Event]:
        return self._to(step(self.state, report, t_ms))

    def tick(self, t_ms: int) -> list[Event]:
        return self._to(step(self.state, Tick(), t_ms))

    def ask(self, request: Request, t_ms: int) -> tuple[Reply, list[Event]]:
        """Answer a request and let the referee look at the board in its light."""
        answered = step(self.state, request, t_ms)
        events = self._to(answered)
        if answered.needs_ruling:
            events += self.tick(max(t_ms, self.state.watch.t_ms))
        return answered.reply, events

    def _to(self, taken: Step) -> list[Event]:
        self.state = taken.state
        return list(taken.events)


def replay(recording: Recording, read_frames: ReadFrames) -> Iterator[Event]:
    """Yield all events of the log: those it started from, then those that the inputs lead to."""
    roster = Roster(recording.board_file.shape, recording.board_file.colors, {})
    if recording.events:
        game, hands = fold(recording.events), fold_hands(recording.events, {})
        begun = Step(CoreState.of(roster, game, hands), tuple(recording.events))
    else:
        begun = begin_game(roster, game_started(_setup(recording), recording.board_file), 0)
    table = DryTable(begun)
    yield from begun.events
    numbered = False
    lag_ms = SWITCH_LAG_MS if not recording.has("frames") and not recording.has("seen") else None
    for entry in sorted(_inputs(recording, read_frames), key=lambda entry: entry.order):
        numbered = entry.numbered
        if lag_ms is not None and not numbered:
            yield from _ticks(table, entry.t_ms - lag_ms)
        if entry.item is None:
            yield from table.tick(entry.t_ms)
        elif isinstance(entry.item, Request):
            yield from table.ask(entry.item, entry.t_ms)[1]
        elif isinstance(entry.item, CopyReport):
            yield from table.hear(entry.item, entry.t_ms)
        else:
            yield from table.take(entry.item)
    if table.deadline_ms is not None and not numbered:
        # The recording ends while the referee is still waiting: nothing more changes, so its time comes.
        yield from table.tick(table.deadline_ms)


def _ticks(table: DryTable, until_ms: int) -> Iterator[Event]:
    """Let the table look again at the deadlines that pass before a moment: reeds send nothing while nothing changes."""
    while (deadline_ms := table.deadline_ms) is not None and deadline_ms <= until_ms:
        yield from table.tick(deadline_ms)
        if table.deadline_ms == deadline_ms:
            return


def _setup(recording: Recording) -> GameSetup:
    document = recording.document
    if document.ruleset is None or document.seats is None or document.to_move is None:
        raise BadInputError(
            f"{printable(str(recording.folder))}/recording.json: 'ruleset', 'seats' and 'to_move' are needed where "
            "there are no 'events'"
        )
    return GameSetup(
        ruleset=document.ruleset,
        options=document.options or {},
        seats=[Seat.parse(name) for name in document.seats],
        teams=[[Seat.parse(name) for name in team] for team in document.teams or []],
        first=Seat.parse(document.to_move),
        position=document.position,
    )


def _inputs(recording: Recording, read_frames: ReadFrames) -> Iterator[_Input]:
    frames = {row.t_ms: row for row in recording.rows("frames", FrameRow)}
    reported = False
    for row, report in recording.reports():
        reported = True
        yield _Input(row, 0, report)
    if frames:
        calibration = recording.document.calibration or ()
        for message in read_frames(recording.folder, recording.board_file, calibration):
            if isinstance(message, SourceReport) and reported:
                continue
            frame = frames.get(message.t_ms)
            yield _Input(frame or Row(t_ms=message.t_ms), 1, _renamed(message, frame))
    holes = [hole.id for hole in recording.board_file.holes]
    for row, observation in felt(recording.rows("reed", ReedRow), holes, _occupied(recording)):
        yield _Input(row, 1, observation)
    for row, observation in seen(recording.rows("seen", SeenRow)):
        yield _Input(row, 1, observation)
    for row, card in recording.cards():
        yield _Input(row, 2, card)
    for row in recording.rows("requests", RequestRow):
        if row.kind == CheckHand.KIND:
            # Recordings made before requests were typed have them without their data; they record nothing.
            continue
        yield _Input(row, 3, _request(row))


def _occupied(recording: Recording) -> Iterator[Hole]:
    """Yield the holes with pawns in them when the recording begins, camps filled from their first hole."""
    for name, places in (recording.document.position or {}).items():
        seat = Seat.parse(name)
        outside = [hole for place in places if (hole := Hole.at_place(seat, str(place))) is not None]
        yield from outside
        yield from camp_holes_of(seat, len(places))[: len(places) - len(outside)]


def _renamed(message: SourceMessage, row: FrameRow | None) -> SourceMessage:
    """Give an observation the name of the source that the recording had it from."""
    if isinstance(message, Observation) and row is not None and row.source is not None:
        return replace(message, source=row.source)
    return message


def _request(row: RequestRow) -> Request | CopyReport | None:
    if row.kind == TICK:
        return None
    try:
        if row.kind == COPY:
            return _report(row.data or {})
        return parse_request(row.kind, row.data or {}, Role(row.role), row.seat)
    except BadInputError as error:
        raise BadInputError(f"requests.jsonl at {row.t_ms} ms: {error}") from None


def _report(data: Mapping[str, object]) -> CopyReport:
    match data:
        case {"board": str(board), "copying": str(copying), "at": int(at)}:
            with suppress(ValueError):
                return CopyReport(board, Copying(copying), at)
    raise BadInputError("this is no word of a board elsewhere")
