"""A club's desk as a service: alone on a machine of its own, or beside a table; asked for again nothing changes."""

import shutil

from tests.support.installing import ROOT, SETUP, Machine

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
