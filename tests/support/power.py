"""Companions that can be killed at any moment: each in a process forked from this one, which is quick to start.

The process announces on a pipe each request and all that phones were shown; the reader derives from it the
state that must survive a power cut.
"""

import json
import logging
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TextIO

from tests.support.in_process import Home
from tests.support.people import Seen, lost

START_PATIENCE_S = 60.0
NOT_WRITTEN = "cannot be written"
NOT_KEPT_NOW = "not kept"
"""Stands among the kinds while phones show that the game is in memory alone."""
Line = Mapping[str, Any]
Script = Callable[[Home, Callable[..., None]], None]
"""Lives in the child until it is killed; the function tells the parent something."""


@dataclass
class Memory:
    """Everything that phones were shown, and their cookies, which survive a power cut."""

    shown: Seen | None = None
    cookies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pin: str | None = None
    doing: str | None = None
    """The kind of the request that has no answer yet."""
    refused: set[str] = field(default_factory=set)
    """Kinds that the disk has refused since it last took something: a power cut may bring them back, done."""

    def take(self, line: Line) -> None:
        """Note a line of the child."""
        self.doing = line.get("do")
        now, before = Seen(**line["now"]) if "now" in line else None, self.shown
        if NOT_WRITTEN in line.get("sentence", ""):
            self.refused.add(line["did"])
        elif now is not None and before is not None and (now.number, now.log) != (before.number, before.log):
            self.refused &= {NOT_KEPT_NOW}
        if now is not None:
            if now.kept or before is None:
                self.refused.discard(NOT_KEPT_NOW)
                self.shown = now
            else:
                # Phones that show that the game is not kept may find it as it was when it last was.
                self.refused.add(NOT_KEPT_NOW)
                aspects = {**now.aspects, "hands": before.aspects["hands"]}
                self.shown = Seen(before.number, before.log, aspects, before.kept)
            self.cookies, self.pin = line["cookies"], line["pin"]


class Child:
    """A companion in a process of its own."""

    def __init__(self, folder: Path, memory: Memory, seed: int, script: Script) -> None:
        """Start it; call this while the process has one thread."""
        reading, writing = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reading)
            # The power is cut at the latest when whoever tries it is gone.
            os.setsid()
            _live(os.fdopen(writing, "w"), folder, memory, seed, script)
        os.close(writing)
        self._reading = reading
        self._rest = b""

    def lines(self, patience_s: float = START_PATIENCE_S) -> Iterator[Line]:
        """Its lines, until it ends or is silent for too long."""
        while True:
            while b"\n" in self._rest:
                line, self._rest = self._rest.split(b"\n", 1)
                yield json.loads(line)
            if not select.select([self._reading], [], [], patience_s)[0]:
                return
            more = os.read(self._reading, 1 << 16)
            if not more:
                return
            self._rest += more

    def kill(self, memory: Memory) -> None:
        """Cut the power; whole lines from before count, half a line does not."""
        os.kill(self.pid, signal.SIGKILL)
        for line in self.lines():
            memory.take(line)
        os.waitpid(self.pid, 0)
        os.close(self._reading)


def _live(out: TextIO, folder: Path, memory: Memory, seed: int, script: Script) -> None:
    logging.disable(logging.CRITICAL)

    def tell(home: Home | None = None, **line: object) -> None:
        if home is not None:
            line |= {"now": asdict(home.look()), "cookies": home.cookies(), "pin": home.people.pin}
        out.write(json.dumps(line) + "\n")
        out.flush()

    try:
        home = Home(folder, memory.cookies, memory.pin, Random(seed))
        home.people.become_host()
        tell(home, log_of_shown=home.people.log(memory.shown.number) if memory.shown else [])
        script(home, tell)
    except BaseException as error:
        with suppress(OSError):
            tell(down=f"{type(error).__name__}: {error}")
    os._exit(0)


def act(home: Home, tell: Callable[..., None]) -> None:
    """Have somebody do something, said before and after."""
    deed = home.plan()
    tell(do=deed.kind)
    answer = deed.do()
    home.people.after(deed, answer)
    tell(
        did=deed.kind,
        status=answer.status,
        is_proper=answer.is_proper,
        sentence=answer.sentence,
        home=home,
    )


def play_for_ever(home: Home, tell: Callable[..., None]) -> None:
    """Do one thing after the other."""
    while True:
        act(home, tell)


def start(folder: Path, memory: Memory, seed: int, script: Script) -> tuple[Child, list[str]]:
    """Start a companion again; return it with all that is lost or done though refused, or why it does not start."""
    child = Child(folder, memory, seed, script)
    line: Line = next(child.lines(), {"down": "it never said that it was up"})
    if "down" in line:
        return child, [f"down: {line['down']}"]
    found = []
    if memory.shown is not None:
        doing = {memory.doing} if memory.doing is not None else set[str]()
        doing |= memory.refused & {NOT_KEPT_NOW}
        now, log = Seen(**line["now"]), line["log_of_shown"]
        missing = lost(memory.shown, now, log, doing | memory.refused)
        found = missing + [
            f"done: {what}" for what in lost(memory.shown, now, log, doing) if what not in missing
        ]
    memory.refused.clear()
    memory.take(line)
    return child, found


def cut(child: Child, memory: Memory, rng: Random, before: int, longest_s: float = 0.012) -> list[Line]:
    """Let it answer `before` requests, then cut the power within the next; return its lines until then."""
    received = []
    answered = 0
    for line in child.lines():
        memory.take(line)
        received.append(line)
        answered += "did" in line
        if "do" in line and answered >= before:
            time.sleep(rng.uniform(0, longest_s))
            break
    child.kill(memory)
    return received
