"""Reading a recording folder: every input in the order in which the table took it in."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from tock_companion.boardfile import BoardFile, load
from tock_companion.errors import BadInputError, printable
from tock_companion.events.codec import event_from_line
from tock_companion.events.facts import Event
from tock_companion.file_versions import refuse_newer
from tock_companion.files import MB, read_text_bounded
from tock_companion.observation import CardSighting, SourceReport
from tock_companion.schema import check, parse_json
from tock_companion.sources.recording_lines import AnyRow, CardRow, Recorded, ReportRow, Row, read_rows

MAX_DOCUMENT_BYTES = 2 * MB
MAX_LOG_BYTES = 50 * MB

_Name = Annotated[str, Field(min_length=1, max_length=1000)]


class RecordingDocument(Recorded):
    """`recording.json`; the start of the game is needed only where no `events` precede it."""

    board: _Name
    ruleset: _Name | None = None
    options: dict[str, object] | None = None
    seats: list[str] | None = None
    teams: list[list[str]] | None = None
    to_move: str | None = None
    position: dict[str, list[str]] | None = None
    events: _Name | None = None
    sources: dict[str, object] = Field(default_factory=dict)
    """The log of each kind of input (`"reed": "reed.jsonl"`), or a table of a source with its logs."""
    calibration: list[dict[str, object]] | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording folder that has been read; frames stay on the disk."""

    folder: Path
    document: RecordingDocument
    board_file: BoardFile
    events: tuple[Event, ...]
    """The log so far; empty when the recording starts a game."""

    def rows(self, log: str, model: type[AnyRow]) -> Iterator[AnyRow]:
        """Read the lines of one log in order; nothing when the recording has no such log."""
        yield from read_rows(self.folder / self._log_name(log), model)

    def has(self, log: str) -> bool:
        """Whether the recording has such a log with at least one line."""
        return any(True for _ in self.rows(log, Row))

    def cards(self) -> Iterator[tuple[Row, CardSighting]]:
        for row in self.rows("cards", CardRow):
            yield row, CardSighting(row.t_ms, row.seat, row.card, row.by)

    def reports(self) -> Iterator[tuple[Row, SourceReport]]:
        for row in self.rows("reports", ReportRow):
            yield row, SourceReport(row.t_ms, row.source, row.condition, row.code)

    def _log_name(self, log: str) -> str:
        sources = self.document.sources
        named = sources.get(log)
        if isinstance(named, str):
            return named
        for entry in sources.values():
            if isinstance(entry, dict) and isinstance(entry.get(log), str):
                return str(entry[log])
        return f"{log}.jsonl"


def open_recording(folder: Path) -> Recording:
    """Read the start of a recording; raises BadInputError naming the file that is wrong."""
    path = folder / "recording.json"
    if not folder.is_dir():
        raise BadInputError(f"{printable(str(folder))}: a recording is a folder with recording.json")
    where = printable(str(path))
    text = read_text_bounded(path, MAX_DOCUMENT_BYTES, "recording")
    written = parse_json(text, where, "what `tock record` writes")
    if isinstance(written, dict):
        refuse_newer(written.get("v"), "recording", where)
    document = check(RecordingDocument, written, where)
    board_file = load(folder / document.board)
    events: tuple[Event, ...] = ()
    if document.events is not None:
        lines = read_text_bounded(folder / document.events, MAX_LOG_BYTES, "log").split("\n")
        events = tuple(event_from_line(line) for line in lines if line.strip())
    return Recording(folder, document, board_file, events)
