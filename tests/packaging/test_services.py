"""The units of systemd: their rights, a club's desk, and the relay on a rented machine."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.installing import ROOT, SETUP, Machine

UNITS = sorted((ROOT / "packaging").glob("*.service"))
LET_PASS = {"tock-companion-update.service": 8.0}
"""Its own comment says why it may do more."""
REACHED = {"club": ["club"], "relay": ["relay", "relay-broker"]}


def values(unit: Path, key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_no_unit_may_do_more_than_it_needs(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= LET_PASS.get(unit.name, 3.0)


@pytest.mark.parametrize("name", REACHED)
def test_a_service_that_strangers_reach_has_a_user_and_a_folder_and_no_way_to_the_helper(name: str) -> None:
    folder, other = f"tock-companion-{name}", "relay" if name == "club" else "club"
    for part in REACHED[name]:
        unit = ROOT / f"packaging/tock-companion-{part}.service"
        assert values(unit, "User") == values(unit, "Group") == [f"tock-{name}"]
        assert values(unit, "StateDirectory") == [folder]
        assert f"TOCK_DATA=/var/lib/{folder} " in unit.read_text()
        shut = " ".join(values(unit, "InaccessiblePaths")).split()
        assert {
            "-/run/tock-companion-helper.sock",
            "-/var/lib/tock-companion",
            f"-/var/lib/tock-companion-{other}",
        } <= set(shut)
    socket = ROOT / "packaging/tock-companion-helper.socket"
    assert (values(socket, "SocketGroup"), values(socket, "SocketMode")) == (["tock"], ["0660"])
    assert values(ROOT / "packaging/tock-companion-relay-broker.service", "IPAddressDeny") == ["any"]


def test_data_of_the_tables_user_move_with_an_update_and_back_with_the_release_before(
    machine: Machine,
) -> None:
    with_systemd(machine)
    root = machine.folder / "root"
    old, own = root / "var/lib/tock-companion", root / "var/lib/tock-companion-relay"
    settings = root / "etc/default/tock-companion-relay"
    assert machine.install().returncode == 0
    release = machine.current.resolve()
    before = release.rename(release.with_name("20200101-000000"))
    for unit in ("relay", "relay-broker"):
        path = before / f"setup/tock-companion-{unit}.service"
        path.write_text(
            path.read_text().replace("StateDirectory=tock-companion-relay", "StateDirectory=tock-companion")
        )
    machine.current.unlink()
    machine.current.symlink_to(before)
    (old / "relay").mkdir(parents=True)
    (old / "relay/relay.key").write_text("the key\n")
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("TOCK_RELAY_NAME=x\nTOCK_RELAY_KEY=/var/lib/tock-companion/relay/public-key.pem\n")
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert (own / "relay/relay.key").read_text() == "the key\n"
    assert not (old / "relay").exists()
    assert "TOCK_RELAY_KEY=/var/lib/tock-companion-relay/relay/public-key.pem\n" in settings.read_text()
    done = machine.run("sh", SETUP, "back")
    assert done.returncode == 0, done.stderr
    assert (old / "relay/relay.key").read_text() == "the key\n"
    assert not (own / "relay").exists()
    assert "TOCK_RELAY_KEY=/var/lib/tock-companion/relay/public-key.pem\n" in settings.read_text()
    assert not list((root / "opt/tock-companion").glob("moved*"))


SYSTEMCTL_THAT_REMEMBERS = """#!/bin/sh
echo "systemctl $*" >>"$LOG"
case "$1" in --root=*) shift ;; esac
verb=$1
shift
for unit; do
    case "$verb $unit" in
    *" -"*) ;;
    "enable "*) mkdir -p "$DESTDIR/enabled" && touch "$DESTDIR/enabled/$unit" ;;
    "is-enabled "*) [ -e "$DESTDIR/enabled/$unit" ] || exit 1 ;;
    esac
done
"""
TABLE, CLUB = "tock-companion.service", "tock-companion-club.service"


def with_systemd(machine: Machine) -> Machine:
    machine.programs["systemctl"] = SYSTEMCTL_THAT_REMEMBERS
    (machine.folder / "root/run/systemd/system").mkdir(parents=True)
    return machine


def enabled(machine: Machine) -> set[str]:
    return {path.name for path in (machine.folder / "root/enabled").iterdir()} & {TABLE, CLUB}


def started(machine: Machine) -> list[str]:
    calls = [line.split() for line in machine.log.splitlines() if line.startswith("systemctl restart")]
    return [unit for call in calls for unit in call[2:]]


def settings(machine: Machine) -> str:
    return (machine.folder / "root/etc/default/tock-companion-club").read_text()


def test_a_machine_of_the_club_has_its_desk_alone_also_after_an_update(machine: Machine) -> None:
    with_systemd(machine)
    done = machine.run("sh", SETUP, "install", str(ROOT), "club", 'Club "du"\nChêne')
    assert done.returncode == 0, done.stderr
    assert enabled(machine) == {CLUB}
    assert settings(machine) == 'TOCK_CLUB_NAME="Club duChêne"\n'
    assert machine.install().returncode == 0
    assert enabled(machine) == {CLUB}
    assert started(machine) == [CLUB, CLUB]


def test_a_table_has_the_desk_beside_it(machine: Machine) -> None:
    with_systemd(machine)
    assert machine.install().returncode == 0
    assert enabled(machine) == {TABLE}
    for _ in range(2):
        done = machine.run("sh", SETUP, "club", "Oaks")
        assert done.returncode == 0, done.stderr
        assert enabled(machine) == {TABLE, CLUB}
    assert started(machine) == [TABLE, CLUB, CLUB]
    with (machine.folder / "root/etc/default/tock-companion-club").open("a") as more:
        more.write("TOCK_CLUB_BROKER=elsewhere\n")
    assert machine.run("sh", SETUP, "club", "Pines").returncode == 0
    assert settings(machine) == 'TOCK_CLUB_BROKER=elsewhere\nTOCK_CLUB_NAME="Pines"\n'


def test_the_desk_of_nothing_installed_is_refused(machine: Machine) -> None:
    done = with_systemd(machine).run("sh", SETUP, "club")
    assert done.returncode == 1
    assert "./install.sh --club" in done.stderr


def test_a_release_from_before_there_was_a_desk_can_be_gone_back_to(machine: Machine) -> None:
    with_systemd(machine)
    assert machine.install().returncode == 0
    assert machine.run("sh", SETUP, "club").returncode == 0
    now = machine.current.resolve()
    before = now.with_name("20200101-000000")
    shutil.copytree(now, before)
    (before / "setup" / CLUB).unlink()
    (now.parents[1] / "previous").symlink_to(before)
    done = machine.run("sh", SETUP, "back")
    assert done.returncode == 0, done.stderr
    assert f"{CLUB} is not of this release" in done.stdout
    assert machine.current.resolve() == before
    assert not (machine.folder / "root/etc/systemd/system" / CLUB).exists()
    assert f"systemctl disable --quiet --now {CLUB}" in machine.log


def test_the_unit_ends_the_broker_after_the_desk() -> None:
    assert "KillMode=mixed\n" in (ROOT / "packaging/tock-companion-club.service").read_text()


NAME = "relay.example.org"
OF_RELAY = ["tock-companion-relay-broker.service", "tock-companion-relay.service"]


def test_a_rented_machine_has_the_relay_alone_and_its_certificate_again_after_each_renewal(
    machine: Machine,
) -> None:
    with_systemd(machine)
    root = machine.folder / "root"
    live = root / "etc/letsencrypt/live" / NAME
    live.mkdir(parents=True)
    for number in ("first", "second"):
        (live / "fullchain.pem").write_text(f"{number} certificate")
        (live / "privkey.pem").write_text(f"{number} key")
        arguments = ["install", str(ROOT), "relay", NAME] if number == "first" else ["relay", NAME]
        done = machine.run("sh", SETUP, *arguments)
        assert done.returncode == 0, done.stderr
        folder = root / "var/lib/tock-companion-relay/relay"
        assert (folder / "public-key.pem").read_text() == f"{number} key"
        assert (folder / "public-key.pem").stat().st_mode & 0o777 == 0o600
        assert (folder / "public-certificate.pem").read_text() == f"{number} certificate"
    assert {path.name for path in (root / "enabled").iterdir()} >= set(OF_RELAY)
    assert TABLE not in {path.name for path in (root / "enabled").iterdir()}
    assert started(machine) == OF_RELAY
    assert (root / "etc/default/tock-companion-relay").read_text().splitlines() == [
        f"TOCK_RELAY_NAME={NAME}",
        "TOCK_RELAY_CERT=/var/lib/tock-companion-relay/relay/public-certificate.pem",
        "TOCK_RELAY_KEY=/var/lib/tock-companion-relay/relay/public-key.pem",
    ]
    assert machine.run("sh", SETUP, "relay", "a b").returncode == 1
