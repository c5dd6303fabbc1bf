"""Each fault of a machine is found, and its sentence says what to do."""

from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.events.facts import Event
from tock_companion.health import Finding, Level, System, sentence
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
from tock_companion.health.system import avahi_name
from tock_companion.health.video_devices import node_of
from tock_companion.language import LANGUAGES, catalog
from tock_companion.storage import Store

DURING_2026 = 1_780_000_000.0


def machine(root: Path, **files: str) -> System:
    """Make a machine out of files; `__` in a name stands for `/`."""
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return System(root)


def levels(findings: Iterator[Finding]) -> dict[str, Level]:
    return {finding.code: finding.level for finding in findings}


def test_too_little_memory_is_a_warning(tmp_path: Path) -> None:
    system = machine(tmp_path, proc__meminfo="MemTotal: 900000 kB\nMemAvailable: 120000 kB\n")
    assert levels(check_memory(system)) == {"memory/low": Level.WARNING}


@pytest.mark.parametrize(("text", "code"), [("48312", "system/temperature"), ("84000", "system/hot")])
def test_heat_is_reported(tmp_path: Path, text: str, code: str) -> None:
    system = machine(tmp_path, sys__class__thermal__thermal_zone0__temp=text)
    assert code in levels(check_heat_and_power(system))


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ("0", "system/power"),
        ("50005", "system/under_voltage"),
        ("10000", "system/under_voltage"),
        ("4", "system/slowed"),
    ],
)
def test_a_weak_power_supply_is_reported(tmp_path: Path, flags: str, code: str) -> None:
    system = System(tmp_path)
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text(flags)
    assert code in levels(check_heat_and_power(system))


def test_a_worn_card_is_reported(tmp_path: Path) -> None:
    system = machine(tmp_path, sys__block__mmcblk0__device__life_time="0x02 0x09")
    assert levels(check_disk(system, tmp_path))["disk/worn"] is Level.WARNING


def test_the_space_is_that_of_the_folder_to_come(tmp_path: Path) -> None:
    assert set(levels(check_disk(System(tmp_path), tmp_path / "not" / "yet"))) <= {
        "disk/ok",
        "disk/low",
        "disk/full",
    }


def test_a_clock_that_was_never_set_is_reported(tmp_path: Path) -> None:
    assert levels(check_clock(System(tmp_path), now_s=0.0)) == {"clock/wrong": Level.WARNING}
    assert levels(check_clock(System(tmp_path), DURING_2026)) == {"clock/alone": Level.OK}
    system = machine(tmp_path, run__systemd__timesync__synchronized="")
    assert levels(check_clock(system, DURING_2026)) == {"clock/ok": Level.OK}


def test_without_a_network_no_phone_can_come() -> None:
    assert levels(check_network([], 8080)) == {"network/none": Level.FAULT}
    (finding,) = check_network(["192.168.1.50"], 80)
    assert finding.values["url"] == "http://192.168.1.50/"


BY_ID = "dev/v4l/by-id/usb-Maker_C920_1234-video-index0"


@pytest.mark.parametrize(
    ("device", "code", "says"),
    [
        (None, "camera/renumbered", BY_ID),
        (0, "camera/renumbered", BY_ID),
        (1, "camera/elsewhere", BY_ID),
        ("/dev/v4l/by-id/usb-Other-video-index0", "camera/elsewhere", BY_ID),
        (2, None, ""),
        (f"/{BY_ID}", None, ""),
    ],
)
def test_a_camera_that_moved_is_used_or_named(
    tmp_path: Path, device: object, code: str | None, says: str
) -> None:
    (tmp_path / BY_ID).parent.mkdir(parents=True)
    for number in (2, 3, 19):
        (tmp_path / "dev" / f"video{number}").touch()
    (tmp_path / BY_ID).symlink_to("../../video2")
    settings = {} if device is None else {"device": device}
    found = list(check_devices(System(tmp_path), {"camera": settings}))
    assert [finding.code for finding in found] == ([] if code is None else [code])
    assert all(f"/{says}" in " ".join(sentence(finding, "en")) for finding in found)
    assert node_of(0, tmp_path / "dev") == tmp_path / "dev" / "video2"


def test_without_names_of_udev_the_lowest_number_is_the_camera(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    for number in (1, 2, 10):
        (tmp_path / "dev" / f"video{number}").touch()
    assert node_of(0, tmp_path / "dev") == tmp_path / "dev" / "video1"
    assert node_of(3, tmp_path / "dev") == tmp_path / "dev" / "video3"


HWMON, SOC = "sys__class__hwmon__hwmon2__", "sys__devices__platform__soc"


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({f"{HWMON}name": "rpi_volt\n", f"{HWMON}in0_lcrit_alarm": "1\n"}, "system/under_voltage"),
        ({f"{HWMON}name": "rpi_volt\n", f"{HWMON}in0_lcrit_alarm": "0\n"}, "system/power"),
        ({f"{HWMON}name": "nvme\n", f"{HWMON}in0_lcrit_alarm": "1\n"}, None),
        ({f"{SOC}@107c000000__soc@107c000000:firmware__get_throttled": "50005\n"}, "system/under_voltage"),
        (
            {
                f"{SOC}__soc:firmware__get_throttled": "0\n",
                f"{HWMON}name": "rpi_volt\n", f"{HWMON}in0_lcrit_alarm": "1\n",
            },
            "system/under_voltage",
        ),
    ],
)  # fmt: skip
def test_a_weak_power_supply_is_read_wherever_the_kernel_has_it(
    files: dict[str, str], code: str | None, tmp_path: Path
) -> None:
    found = levels(check_heat_and_power(machine(tmp_path, **files)))
    assert [*found] == ([] if code is None else [code])


@pytest.mark.parametrize(
    ("vendor", "rules", "code"),
    [("1a86", "brltty", "reed/brltty"), ("1a86", "other", "reed/none"), ("046d", "brltty", "reed/none")],
)
def test_a_chip_that_brltty_took_is_named(vendor: str, rules: str, code: str, tmp_path: Path) -> None:
    usb = "sys__bus__usb__devices__1-1__"
    system = machine(
        tmp_path,
        **{
            f"{usb}idVendor": f"{vendor}\n",
            f"{usb}idProduct": "7523\n",
            f"usr__lib__udev__rules.d__85-{rules}.rules": "",
        },
    )
    assert levels(check_devices(system, {}, {})) == {code: Level.FAULT}


def test_a_configured_camera_that_is_not_plugged_in_is_a_fault(tmp_path: Path) -> None:
    assert levels(check_devices(System(tmp_path), {"camera": {}})) == {"camera/none": Level.FAULT}
    assert levels(check_devices(System(tmp_path), {})) == {}
    for elsewhere in ({"url": "http://192.0.2.7/"}, {"phone": True}):
        assert levels(check_devices(System(tmp_path), {"camera": elsewhere})) == {}


def test_modem_manager_is_reported_until_our_rule_is_installed(tmp_path: Path) -> None:
    system = machine(tmp_path, dev__ttyUSB0="", usr__sbin__ModemManager="")
    assert levels(check_devices(system, {}, {}))["reed/modem_manager"] is Level.WARNING
    machine(tmp_path, **{"etc__udev__rules.d__60-tock-companion.rules": ""})
    assert levels(check_devices(system, {}, {})) == {"reed/ports": Level.OK}


def test_a_device_without_permission_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = machine(tmp_path, dev__video0="")
    monkeypatch.setattr("tock_companion.health.system.os.access", lambda *_: False)
    (finding,) = check_devices(system, {"camera": {}})
    assert finding.values == {"device": "/dev/video0", "group": "video"}


def test_versions_are_shown() -> None:
    assert levels(check_versions("1.2.3")) == {"system/versions": Level.OK}


def test_a_sound_database_is_counted_and_left_as_it_is(tmp_path: Path) -> None:
    assert levels(check_games(tmp_path / "games.sqlite")) == {"games/none": Level.OK}
    Store(tmp_path).close()
    before = (tmp_path / "games.sqlite").read_bytes()
    for number, code in ((0, "games/none"), (1, "games/one"), (2, "games/ok")):
        if number:
            store = Store(tmp_path)
            store.append(number, [Event(1, 0, game_started(GameSetup(), generate(4, 440.0)))])
            store.close()
            before = (tmp_path / "games.sqlite").read_bytes()
        assert levels(check_games(tmp_path / "games.sqlite")) == {code: Level.OK}
        (found,) = check_games(tmp_path / "games.sqlite")
        assert sentence(found, "fr")[0] != sentence(found, "en")[0]
    assert (tmp_path / "games.sqlite").read_bytes() == before


def test_a_damaged_database_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"not a database at all, but long enough" * 40)
    assert levels(check_games(tmp_path / "games.sqlite")) == {"games/damaged": Level.FAULT}


def test_every_finding_has_a_sentence_in_both_languages_and_what_is_wrong_has_a_remedy() -> None:
    quiet = (
        "exposure",
        "colors",
        "focus",
        "holds_still",
        "ok",
        "named",
        "one",
        "versions",
        "temperature",
        "power",
        "alone",
        "unused",
        "board",
        "ports",
        "none",
        "several",
    )
    texts = catalog("health")
    for code in texts:
        if code.endswith(".do"):
            continue
        parts = (*texts[code].values(), *texts.get(f"{code}.do", {}).values())
        values = {name: "x" for text in parts for _, name, _, _ in Formatter().parse(text) if name}
        finding = Finding(code.split("/")[0], code, values=values)
        for lang in LANGUAGES:
            text, remedy = sentence(finding, lang)
            assert text
            assert remedy or code.split("/")[1] in (*quiet, "running", "stopped"), code


def test_the_network_is_named_as_avahi_announces_it(tmp_path: Path) -> None:
    """Another machine of the same name makes it `pi-2.local`; without Avahi there is no name."""
    for printed, name in (('s "Pi-2.local"', "pi-2.local"), ("", "")):
        program = tmp_path / "busctl"
        program.write_text(f"#!/bin/sh\nprintf '%s' '{printed}'\n")
        program.chmod(0o755)
        assert avahi_name([str(program)]) == name
    assert avahi_name([str(tmp_path / "none")]) == ""
    assert avahi_name(["sh", "-c", "exit 1"]) == ""
