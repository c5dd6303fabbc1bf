"""Every check of this machine in one order, for `tock doctor`, for a report and for the host's page."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from queue import Empty, Queue

from tock_app.config.load import Config, config_of, config_path, load_config
from tock_app.service.control import ask, running_file
from tock_companion import __version__
from tock_companion.background import run_once
from tock_companion.errors import BadInputError, TockError, one_line
from tock_companion.health import Finding, Level, System
from tock_companion.health.checks import (
    check_clock,
    check_devices,
    check_disk,
    check_games,
    check_heat_and_power,
    check_memory,
    check_network,
    check_versions,
)
from tock_companion.health.system import own_addresses
from tock_companion.sources.base import cameras_of
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.storage.migrations import why_not

LOG = logging.getLogger(__name__)
ANSWER_S = 5.0
"""Time for a table to answer: one that hangs is examined too."""
CHECKS_GROUP = "tock.checks"
"""Further checks by entry point: called with the board file and the sources, they yield findings."""


def settings_to_examine(path: Path | None) -> tuple[Config, list[Finding]]:
    """The settings, or the usual ones and a finding where they have a mistake: the machine is examined all the same."""
    try:
        return load_config(path), []
    except BadInputError as error:
        place = config_path(path)
        usual = config_of(place, "")
        return usual, [Finding("settings", "settings/wrong", Level.FAULT, {"reason": one_line(str(error))})]


def examine(config: Config, system: System, *, with_sources: bool = True) -> Iterator[Finding]:
    """Yield the findings of every check; the slow ones, which open camera and reed board, come last."""
    yield from _checked("system", lambda: check_versions(__version__))
    yield from _checked("memory", lambda: check_memory(system))
    yield from _checked("system", lambda: check_heat_and_power(system))
    yield from _checked("disk", lambda: check_disk(system, config.data))
    yield from _checked("clock", lambda: check_clock(system))
    yield from _checked(
        "network", lambda: check_network(own_addresses(), config.port, listens_on=config.host)
    )
    yield from _checked("games", lambda: check_games(config.data / DATABASE_NAME, why_not))
    service = running(config.data)
    yield service
    if service.code == "service/running":
        yield from _checked("network", lambda: network_of_table(config.data))
    devices = list(
        _checked(
            "system",
            lambda: check_devices(system, cameras_of(config.sources), config.sources.get("reed")),
        )
    )
    yield from devices
    if with_sources:
        known = {finding.code for finding in devices}
        if known & {"camera/elsewhere", "camera/renumbered"}:
            known.add("camera/none")
        for entry in sorted(entry_points(group=CHECKS_GROUP), key=lambda entry: entry.name):
            found = _checked(entry.name, partial(_of_entry, entry, config))
            yield from (finding for finding in found if finding.code not in known)


def _checked(part: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """The findings of one check, or that it failed: the other checks go on."""
    try:
        yield from check()
    except Exception as error:
        LOG.debug("a check of %s failed", part, exc_info=True)
        reason = one_line(f"{type(error).__name__}: {error}")
        yield Finding(part, "check/failed", Level.FAULT, {"reason": reason})


def _of_entry(entry: EntryPoint, config: Config) -> Iterable[Finding]:
    findings: Iterable[Finding] = entry.load()(config.board_file, config.sources)
    return findings


def network_of_table(data: Path) -> Iterator[Finding]:
    """The faults of the network that the running table has met, as far as it answers."""
    answers: Queue[str] = Queue()

    def asks() -> None:
        with suppress(TockError, BadInputError, EOFError, OSError):
            answers.put(ask(data, "network")["troubles"])

    run_once("doctor-call", "asks the running companion for `tock doctor`", asks)
    with suppress(Empty):
        for code in answers.get(timeout=ANSWER_S).split():
            yield Finding("network", f"network/{code}", Level.WARNING)


def running(data: Path) -> Finding:
    """Whether a companion runs on this data folder, as a finding."""
    try:
        pid = int(str(running_file(data)["pid"]))
        os.kill(pid, 0)
    except PermissionError:
        return Finding("service", "service/running", values={"pid": "?"})
    except (OSError, ValueError, KeyError, OverflowError):
        return Finding("service", "service/stopped")
    return Finding("service", "service/running", values={"pid": str(pid)})
