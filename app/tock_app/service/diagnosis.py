"""Every check of this machine in one order, for `tock doctor`, for a report and for the host's page."""

import os
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

from tock_app.config.load import Config
from tock_app.service.control import running_file
from tock_companion import __version__
from tock_companion.boardfile import BoardFile
from tock_companion.health import Finding, System
from tock_companion.health.machine import (
    check_clock,
    check_devices,
    check_disk,
    check_games,
    check_heat_and_power,
    check_memory,
    check_network,
    check_versions,
)
from tock_companion.health.system import home_ip
from tock_companion.sources.base import cameras_of
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.storage.migrations import why_not

CHECKS_GROUP = "tock.checks"
"""Further checks by entry point: called with the board file and the sources, they yield findings."""


def examine(config: Config, system: System, *, with_sources: bool = True) -> Iterator[Finding]:
    """Yield the findings of every check; the slow ones, which open camera and reed board, come last."""
    yield from check_versions(__version__)
    yield from check_memory(system)
    yield from check_heat_and_power(system)
    yield from check_disk(system, config.data)
    yield from check_clock(system)
    yield from check_network(home_ip(), config.port)
    yield from check_games(config.data / DATABASE_NAME, why_not)
    yield running(config.data)
    devices = list(check_devices(system, cameras_of(config.sources), config.sources.get("reed")))
    yield from devices
    if with_sources:
        known = {finding.code for finding in devices}
        if known & {"camera/elsewhere", "camera/renumbered"}:
            known.add("camera/none")
        found = _checks_of_sources(config.board_file, config.sources)
        yield from (finding for finding in found if finding.code not in known)


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


def _checks_of_sources(board_file: BoardFile, sources: object) -> Iterator[Finding]:
    for entry in sorted(entry_points(group=CHECKS_GROUP), key=lambda entry: entry.name):
        yield from entry.load()(board_file, sources)
