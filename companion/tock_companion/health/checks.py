"""Checks of the machine: memory, temperature, power, disk, clock, network, versions, and the database of games."""

import platform
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from importlib.metadata import PackageNotFoundError, version
from math import ceil
from operator import or_
from pathlib import Path

from tock_companion.background import Trouble
from tock_companion.errors import BadInputError
from tock_companion.files import require_file
from tock_companion.health.finding import Finding, Level, has_words
from tock_companion.health.system import System, avahi_name
from tock_companion.health.video_devices import cameras_in

LOW_MEMORY_MB = 200
HOT_C = 80
"""Above it a Raspberry Pi slows down (documented soft limit)."""
LOW_DISK_MB = 500
FULL_DISK_MB = 50
WORN = 8
"""JEDEC eMMC 5.0 lifetime estimate in steps of ten percent: 80 % used."""
OLDEST_TIME_S = 1_767_225_600
"""2026-01-01: an earlier clock is wrong, as it is before the program was written."""
_UNDER_VOLTAGE_NOW, _SLOWED_NOW, _UNDER_VOLTAGE_ONCE = 1 << 0, 1 << 2, 1 << 16
"""Bits of the Raspberry Pi firmware's `get_throttled`."""
OTHER_PICTURES = ("video", "frames", "url", "phone")
"""Settings of a camera that is no device of this machine."""
SERIAL_CHIPS = frozenset({("1a86", "7523"), ("10c4", "ea60"), ("0403", "6001")})
"""Maker and product of the USB chips of Nanos and their likes, which braille displays have too."""
LIBRARIES = ("numpy", "opencv-python-headless", "flask", "uvicorn")


def check_versions(own: str) -> Iterator[Finding]:
    """Report the versions that run here."""
    found = []
    for library in LIBRARIES:
        try:
            found.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            yield Finding("system", "system/library_missing", Level.FAULT, {"library": library})
    values = {
        "tock": own,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "libraries": ", ".join(found),
    }
    yield Finding("system", "system/versions", values=values)


def check_memory(system: System) -> Iterator[Finding]:
    for line in (system.text("proc/meminfo") or "").splitlines():
        if line.startswith("MemAvailable:"):
            free_mb = int(line.split()[1]) // 1000
            low = free_mb < LOW_MEMORY_MB
            yield Finding(
                "memory",
                "memory/low" if low else "memory/ok",
                Level.WARNING if low else Level.OK,
                {"free_mb": str(free_mb)},
            )


def check_heat_and_power(system: System) -> Iterator[Finding]:
    """Check the temperature, and a Raspberry Pi's report on its power supply."""
    text = system.text("sys/class/thermal/thermal_zone0/temp")
    if text is not None and text.lstrip("-").isdigit():
        degrees = int(text) // 1000
        hot = degrees >= HOT_C
        yield Finding(
            "system",
            "system/hot" if hot else "system/temperature",
            Level.WARNING if hot else Level.OK,
            {"degrees": str(degrees)},
        )
    flags = _power_flags(system)
    if flags is None:
        return
    if flags & (_UNDER_VOLTAGE_NOW | _UNDER_VOLTAGE_ONCE):
        yield Finding("system", "system/under_voltage", Level.WARNING)
    elif flags & _SLOWED_NOW:
        yield Finding("system", "system/slowed", Level.WARNING)
    else:
        yield Finding("system", "system/power")


def _power_flags(system: System) -> int | None:
    """All that a Raspberry Pi reports on its power, in old kernels' file and in the driver that took its place."""
    found = []
    for path in system.devices("sys/devices/platform/soc*/soc*:firmware/get_throttled"):
        with suppress(ValueError):
            found.append(int(system.text(str(path.relative_to(system.root))) or "", 16))
    for path in system.devices("sys/class/hwmon/hwmon*/name"):
        sensor = path.parent.relative_to(system.root)
        if system.text(f"{sensor}/name") == "rpi_volt":
            found.append(_UNDER_VOLTAGE_NOW if system.text(f"{sensor}/in0_lcrit_alarm") == "1" else 0)
    return reduce(or_, found) if found else None


def check_disk(system: System, folder: Path) -> Iterator[Finding]:
    """Check free space and wear of the disk that holds the games."""
    free_mb = system.free_mb(folder)
    values = {"free_mb": str(free_mb), "folder": str(folder)}
    if free_mb < FULL_DISK_MB:
        yield Finding("disk", "disk/full", Level.FAULT, values)
    elif free_mb < LOW_DISK_MB:
        yield Finding("disk", "disk/low", Level.WARNING, values)
    else:
        yield Finding("disk", "disk/ok", values=values)
    for path in system.devices("sys/block/mmcblk*/device/life_time"):
        steps = [int(part, 16) for part in (system.text(str(path.relative_to(system.root))) or "").split()]
        if steps and max(steps) >= WORN:
            values = {"device": path.parts[-3], "percent": str(min(max(steps), 10) * 10)}
            yield Finding("disk", "disk/worn", Level.WARNING, values)


def check_clock(system: System, now_s: float | None = None) -> Iterator[Finding]:
    """Check whether the clock is set: games do not need it, dates in records do."""
    if (time.time() if now_s is None else now_s) < OLDEST_TIME_S:
        yield Finding("clock", "clock/wrong", Level.WARNING)
    elif (system.root / "run/systemd/timesync/synchronized").exists():
        yield Finding("clock", "clock/ok")
    else:
        yield Finding("clock", "clock/alone")


def check_network(addresses: Sequence[str], port: int, listens_on: str = "") -> Iterator[Finding]:
    """Report the addresses for phones, that of the home network first."""
    if not addresses:
        yield Finding("network", "network/none", Level.FAULT)
        return
    where, *others = (f"[{address}]" if ":" in address else address for address in addresses)
    url = f"http://{where}/" if port == 80 else f"http://{where}:{port}/"
    values = {"url": url, "others": ", ".join(others)}
    if where.startswith("[") and ":" not in listens_on:
        yield Finding("network", "network/ipv6", Level.WARNING, values)
    else:
        yield Finding("network", "network/several" if others else "network/ok", values=values)
    name = avahi_name()
    if name:
        yield Finding("network", "network/named", values={"name": name})


def check_devices(
    system: System, cameras: Mapping[str, Mapping[str, object]], reed: Mapping[str, object] | None = None
) -> Iterator[Finding]:
    """Check that the devices of cameras, by name, and of a reed board exist and that this user may use them."""
    found = system.devices("dev/video*")
    for name, settings in cameras.items():
        ribbon = str(settings.get("device", "")).startswith("ribbon")
        if not ribbon and not any(settings.get(key) for key in OTHER_PICTURES):
            if not found:
                yield Finding(name, "camera/none", Level.FAULT)
            else:
                yield from _moved(name, settings.get("device", 0), system)
            yield from _forbidden(name, found, system, "video")
    boards = system.devices("dev/ttyUSB*") + system.devices("dev/ttyACM*")
    if reed is not None and not boards and _is_taken_by_brltty(system):
        yield Finding("reed", "reed/brltty", Level.FAULT)
    elif reed is not None and not boards and "port" not in reed:
        yield Finding("reed", "reed/none", Level.FAULT)
    elif boards:
        yield Finding("reed", "reed/ports", values={"ports": ", ".join(path.name for path in boards)})
    yield from _forbidden("reed", boards, system, "dialout")
    if boards and system.devices("usr/sbin/ModemManager") and not _left_alone(system):
        yield Finding("reed", "reed/modem_manager", Level.WARNING)
    yield from _forbidden("gpio", system.devices("dev/gpiochip*"), system, "gpio")


def _moved(name: str, device: object, system: System) -> Iterator[Finding]:
    """Report a camera that is no longer at the number or path that the settings name."""
    dev = system.root / "dev"
    asked = dev / f"video{device}" if isinstance(device, int) else system.root / str(device).lstrip("/")
    if asked.exists():
        return
    present = [f"/{path.relative_to(system.root)}" for path in cameras_in(dev)]
    values = {"device": f"/{asked.relative_to(system.root)}", "found": ", ".join(present)}
    if device == 0 and present:
        yield Finding(name, "camera/renumbered", values={**values, "used": present[0]})
    else:
        yield Finding(name, "camera/elsewhere", Level.FAULT, values)


def _forbidden(part: str, devices: tuple[Path, ...], system: System, group: str) -> Iterator[Finding]:
    for path in devices:
        if not system.may_use(path):
            values = {"device": f"/{path.relative_to(system.root)}", "group": group}
            yield Finding(part, "device/forbidden", Level.FAULT, values)


def _is_taken_by_brltty(system: System) -> bool:
    """Whether a serial chip has no port, and a program for braille displays that takes such chips is installed."""
    chips = {
        (system.text(f"{device}/idVendor"), system.text(f"{device}/idProduct"))
        for path in system.devices("sys/bus/usb/devices/*/idVendor")
        for device in [path.parent.relative_to(system.root)]
    }
    rules = system.devices("usr/lib/udev/rules.d/*brltty*") or system.devices("lib/udev/rules.d/*brltty*")
    return bool(chips & SERIAL_CHIPS and rules)


def _left_alone(system: System) -> bool:
    """Whether the udev rule that keeps ModemManager off serial boards is installed."""
    return bool(system.devices("etc/udev/rules.d/*tock*") or system.devices("usr/lib/udev/rules.d/*tock*"))


def check_threads(troubles: Iterable[Trouble]) -> Iterator[Finding]:
    """Report the present faults in the background of this companion."""
    found = list(troubles)
    for trouble in found:
        code = f"thread/{trouble.thread}"
        values = {"thread": trouble.thread, "reason": trouble.reason.rstrip(".")}
        yield Finding("service", code if has_words(code) else "thread/other", Level.WARNING, values)
    if not found:
        yield Finding("service", "thread/ok")


def check_games(database: Path, why_not: Callable[[Path], str] = lambda _database: "") -> Iterator[Finding]:
    """Read the whole database through a connection that cannot write; `why_not` says why a start would not open it."""
    if not database.exists():
        lost = database.with_name(f"{database.name}-wal").exists() or any(
            database.parent.glob("backups/games-*.sqlite")
        )
        yield Finding("games", "games/gone", Level.WARNING) if lost else Finding("games", "games/none")
        return
    try:
        # SQLite would wait for ever for the other end of a pipe.
        require_file(database, "database")
        connection = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        try:
            verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
            count = connection.execute("SELECT count(DISTINCT game) FROM events").fetchone()[0]
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError, BadInputError) as error:
        verdict, count = str(error), 0
    if verdict != "ok":
        values = {"file": str(database), "reason": " ".join(verdict.split())}
        yield Finding("games", "games/damaged", Level.FAULT, values)
        return
    if reason := why_not(database):
        yield Finding("games", "games/refused", Level.FAULT, {"reason": reason})
        return
    values = {"count": str(count), "size_mb": str(ceil(database.stat().st_size / 1e6))}
    yield Finding("games", {0: "games/none", 1: "games/one"}.get(count, "games/ok"), values=values)
    aside = sorted(database.parent.glob(f"{database.stem}.damaged-*{database.suffix}*"))
    if aside:
        yield Finding("games", "games/aside", Level.WARNING, {"file": aside[-1].name})
