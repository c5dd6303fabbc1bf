"""Examines the reed board: for `tock doctor`, and for the host's page of a running companion."""

from collections.abc import Iterable, Iterator, Mapping

from tock_companion.boardfile import BoardFile
from tock_companion.health import Finding, Level
from tock_companion.sources.base import Defect
from tock_companion.sources.reed.clock import monotonic_ms
from tock_companion.sources.reed.defects import defects_of
from tock_companion.sources.reed.flashing import listen, shipped, version_of
from tock_companion.sources.reed.link import ReedLink
from tock_companion.sources.reed.ports import AUTO, PortError, port_names
from tock_companion.sources.reed.protocol import BoardKind, ResetCause
from tock_companion.sources.reed.simulated import EMULATED
from tock_companion.sources.reed.source import ReedSource
from tock_companion.sources.reed.trouble import Trouble

PART = "reed"
DEFECT_PREFIX = "reed_"


def check_reed(board_file: BoardFile, sources: Mapping[str, Mapping[str, object]]) -> Iterator[Finding]:
    """Ask the board on the configured port for its identity; the companion must not be running."""
    setting = str(sources.get("reed", {}).get("port", AUTO))
    if "reed" not in sources or setting == EMULATED:
        return
    for port in port_names(setting):
        yield from _ask(port, ReedLink(board_file.zones))


def _ask(port: str, link: ReedLink) -> Iterator[Finding]:
    try:
        listen(port, link, lambda: _has_reported(link))
    except PortError as error:
        # A busy port is most often the running companion's, whose page shows more.
        level = Level.WARNING if error.code == "reed/busy" else Level.FAULT
        yield Finding(PART, error.code, level, {"port": port})
        return
    yield from findings(port, link, defects_of(link))


def _has_reported(link: ReedLink) -> bool:
    """Whether the board has reported its switches and its chain, or an obstacle."""
    return link.heartbeat is not None or link.trouble(monotonic_ms()) not in (None, Trouble.NO_ANSWER)


def check_running(sources: Iterable[object]) -> Iterator[Finding]:
    """Findings on the reed boards of a running companion."""
    for source in sources:
        if isinstance(source, ReedSource):
            yield from findings(str(source.health()["port"]), source.link, source.defects())


def findings(port: str, link: ReedLink, defects: Iterable[Defect]) -> Iterator[Finding]:
    """Findings from a link's knowledge of its board."""
    hello = link.hello
    values = {"port": port}
    if hello is None:
        yield Finding(PART, "reed/no_answer", Level.FAULT, values)
        return
    values |= {
        "version": version_of(hello),
        "boards": str(hello.boards),
        "needed": str(link.boards),
        "alive": str(link.alive),
        "place": str((link.exchanged_at or 0) + 1),
        "starts": str(hello.nonce + 1),
        "bad_frames": str(link.counts.bad_frames),
        "bad_scans": str(link.heartbeat.bad_scans if link.heartbeat is not None else 0),
    }
    trouble = link.trouble(monotonic_ms())
    if trouble is not None:
        yield Finding(PART, trouble.value, Level.FAULT, values)
    else:
        yield Finding(PART, "reed/ok", Level.OK, values)
    if hello.board_kind == BoardKind.ATMEGA328P and hello.build != shipped().build:
        yield Finding(PART, "reed/other_build", Level.WARNING, {**values, "ours": shipped().version})
    if hello.reset_cause == ResetCause.HANG:
        yield Finding(PART, "reed/hang", Level.WARNING, values)
    for defect in defects:
        code = f"reed/{defect.code.removeprefix(DEFECT_PREFIX)}"
        yield Finding(PART, code, Level.WARNING, {**values, "hole": defect.hole or ""})
