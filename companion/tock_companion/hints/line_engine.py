"""Programs as players of the arena: a JSON line asks for a move, a JSON line answers it.

A line to the program is a request of `tock hint` with `position` (the same as one text), `moves` (every action that is
open, as text) and `move_ms`; it answers `{"move": TEXT}` with one of them.
"""

import json
import os
import random
import select
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any

from tock_companion.errors import BadInputError, quoted
from tock_companion.hints.knowledge import Knowledge
from tock_rules.engine import Action, CardGame, actions_of, read_action

START_MS = 10_000
"""More time for the first answer, in which the program starts."""
MAX_ANSWER_BYTES = 65_536


@dataclass(frozen=True)
class Command:
    """A program that plays, and its time for each move."""

    line: str
    move_ms: float = 1000.0

    def __str__(self) -> str:
        """The command."""
        return self.line


class EngineError(Exception):
    """Why a program loses its game."""


class LineEngine:
    """A program at work; it plays one game, and is killed after it."""

    def __init__(self, command: Command) -> None:
        """Start the program; raise `BadInputError` if there is none."""
        self.command = command
        self.asked = 0
        self.unread = b""
        try:
            self.process = subprocess.Popen(
                shlex.split(command.line),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            raise BadInputError(f"--engine {command.line}: {error}") from error

    def __enter__(self) -> "LineEngine":
        """The program, until it is killed."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Kill the program with everything that it has started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in self._pipes:
            # A request that a dead program never read is lost.
            with suppress(BrokenPipeError):
                pipe.close()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process.stdin, self.process.stdout

    def __call__(self, game: CardGame, rng: random.Random) -> Action:  # noqa: ARG002  as every player
        """Ask for an action; raise `EngineError` for anything but one that is open, in time."""
        knowledge = Knowledge.of_game(game)
        self.asked += 1
        request = {**_request(game, knowledge), "id": self.asked, "move_ms": self.command.move_ms}
        limit_ms = self.command.move_ms + (START_MS if self.asked == 1 else 0)
        answer = self._answer(json.dumps(request), limit_ms)
        try:
            text = json.loads(answer)["move"]
            return read_action(game, knowledge.position, text)
        except BadInputError as error:
            raise EngineError(str(error)) from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise EngineError(f'it wrote {quoted(answer)}, not {{"move": "KH P0:camp>T0*"}}') from error

    def _answer(self, request: str, limit_ms: float) -> str:
        """The line that the program writes; what it writes besides counts as its next answer."""
        stdin, stdout = self._pipes
        end_s = time.monotonic() + limit_ms / 1000
        try:
            stdin.write(request.encode() + b"\n")
            stdin.flush()
        except OSError as error:
            raise EngineError("it has ended") from error
        while b"\n" not in self.unread:
            if len(self.unread) > MAX_ANSWER_BYTES:
                raise EngineError(f"it wrote a line of more than {MAX_ANSWER_BYTES} bytes")
            ready, _, _ = select.select([stdout], [], [], max(0.0, end_s - time.monotonic()))
            if not ready:
                raise EngineError(f"no answer within {limit_ms:.0f} ms")
            read = os.read(stdout.fileno(), MAX_ANSWER_BYTES)
            if not read:
                raise EngineError("it has ended")
            self.unread += read
        line, self.unread = self.unread.split(b"\n", 1)
        return line.decode("utf-8", "replace")


def _request(game: CardGame, knowledge: Knowledge) -> dict[str, Any]:
    position = knowledge.position
    return {
        "ruleset": position.ruleset.name,
        "options": {
            name: value
            for name, value in position.ruleset.values().items()
            if value != position.ruleset.usual[name]
        },
        "board_zones": position.shape.zones,
        "teams": [[seat.name for seat in team] for team in position.teams] or None,
        "to_move": position.to_move.name,
        "pawns": position.board.to_pawns(),
        "hand": [str(card) for card in knowledge.hand],
        "hand_counts": {seat.name: count for seat, count in knowledge.counts.items()},
        "discards": [str(card) for card in knowledge.discards],
        "stored_moves": {seat.name: position.stored_moves[seat] for seat in position.seats},
        "cards_played": position.cards_played,
        "position": position.text,
        "moves": [str(action) for action in actions_of(game, position)],
    }
