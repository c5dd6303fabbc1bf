"""Reading a recording folder: every input in the order in which the table took it in."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tock_companion.boardfile import BoardFile, load
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_line
from tock_companion.events.facts import Event
from tock_companion.observation import CardSighting, SourceCondition, SourceReport
from tock_companion.rules import Card, Seat


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording folder that has been read; frames stay on the disk."""

    folder: Path
    document: Mapping[str, Any]
    board_file: BoardFile
    events: tuple[Event, ...]
    """The log so far; empty when the recording starts a game."""

    def rows(self, log: str) -> Iterator[dict[str, Any]]:
        """Yield the lines of one log in order; nothing when the recording has no such log."""
        path = self.folder / self._log_name(log)
        if not path.exists():
            return
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                int(row["t_ms"])
            except (json.JSONDecodeError, KeyError, TypeError, ValueError):
                raise BadInputError(f"{path} line {number} is not a JSON object with 't_ms'") from None
            yield row

    def has(self, log: str) -> bool:
        """Whether the recording has such a log with at least one line."""
        return any(True for _ in self.rows(log))

    def cards(self) -> Iterator[tuple[dict[str, Any], CardSighting]]:
        """Yield the laid cards."""
        for row in self.rows("cards"):
            seat = Seat.parse(row["seat"]) if row.get("seat") is not None else None
            yield (
                row,
                CardSighting(row["t_ms"], seat, Card.parse(row.get("card")), str(row.get("by", "touch"))),
            )

    def reports(self) -> Iterator[tuple[dict[str, Any], SourceReport]]:
        """Yield what sources said of themselves."""
        for row in self.rows("reports"):
            condition = SourceCondition(row["condition"])
            yield row, SourceReport(row["t_ms"], str(row["source"]), condition, str(row.get("code", "")))

    def _log_name(self, log: str) -> str:
        sources = self.document.get("sources", {})
        named = sources.get(log)
        if isinstance(named, str):
            return named
        for entry in sources.values():
            if isinstance(entry, Mapping) and isinstance(entry.get(log), str):
                return str(entry[log])
        return f"{log}.jsonl"


def open_recording(folder: Path) -> Recording:
    """Read what a recording starts from; raises BadInputError naming the file that is wrong."""
    path = folder / "recording.json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(
            f"{path} cannot be read ({error}); a recording is a folder with recording.json"
        ) from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is not JSON: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("board"), str):
        raise BadInputError(f"{path}: 'board' must name the board file")
    board_file = load(folder / document["board"])
    events: tuple[Event, ...] = ()
    if isinstance(document.get("events"), str):
        lines = (folder / document["events"]).read_text(encoding="utf-8").splitlines()
        events = tuple(event_from_line(line) for line in lines)
    return Recording(folder, document, board_file, events)
