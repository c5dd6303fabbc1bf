"""A release after another, and the way back: by itself, by hand, after a power cut; no game is lost on any of them."""

import shutil
import subprocess
from pathlib import Path

from tests.support.installing import LOGGED, SETUP, Machine, keep, kept_games, with_games

SYSTEMCTL_THAT_SPOILS = """#!/bin/sh
echo "systemctl $*" >>"$LOG"
case "$*" in
"restart tock-companion.service")
    if [ ! -e "$DESTDIR/failed" ]; then
        touch "$DESTDIR/failed"
        echo spoilt >"$DESTDIR/var/lib/tock-companion/games.sqlite"
        exit 1
    fi ;;
esac
"""


def test_a_release_that_does_not_start_is_taken_back_with_the_games(machine: Machine) -> None:
    data, first = with_games(machine)
    machine.programs["systemctl"] = SYSTEMCTL_THAT_SPOILS
    done = machine.install()
    assert done.returncode == 1
    assert "the one before runs again" in done.stderr
    assert machine.current.resolve() == first
    assert (data / "games.sqlite").read_text() == "our games\n"
    assert (data / "games.sqlite-wal").read_text() == "the newest moves\n"
    assert not (first.parents[1] / "trying").exists()
    assert list(first.parent.iterdir()) == [first]


def test_the_units_go_and_come_back_with_their_release(machine: Machine) -> None:
    _, first = with_games(machine)
    # The release before had another unit.
    (first / "setup/tock-companion.service").write_text("[Service]\nExecStart=/bin/old\n")
    machine.programs["systemctl"] = SYSTEMCTL_THAT_SPOILS
    assert machine.install().returncode == 1
    assert (
        (machine.folder / "root/etc/systemd/system/tock-companion.service").read_text().endswith("/bin/old\n")
    )


def test_the_games_are_copied_while_nobody_writes_them(machine: Machine) -> None:
    with_games(machine)
    machine.programs["systemctl"] = LOGGED
    assert machine.install().returncode == 0
    calls = [line for line in machine.log.splitlines() if line.startswith("systemctl")]
    service = "tock-companion.service"
    assert calls.index(f"systemctl stop {service}") < calls.index(f"systemctl restart {service}")
    assert not (machine.current.parent / "trying").exists()


def test_a_trial_that_the_power_ended_is_undone_at_the_next_start(machine: Machine) -> None:
    data, first = with_games(machine)
    prefix = machine.current.parent
    tried = prefix / "releases/20300101-000000"
    tried.mkdir()
    keep(machine, first)
    (data / "games.sqlite").write_text("changed by the new release\n")
    (prefix / "trying").write_text(f"{first}\n")
    machine.current.unlink()
    machine.current.symlink_to(tried)
    setup = str(prefix / "setup.sh")
    assert machine.run("sh", setup, "recover").returncode == 0
    assert machine.current.resolve() == first
    assert (data / "games.sqlite").read_text() == "our games\n"
    # The newest moves of then were in the copy, if there were any.
    assert not (data / "games.sqlite-wal").exists()
    assert not tried.exists()
    # And once more, for a power cut in the middle of it: nothing is left to do.
    again = machine.run("sh", setup, "recover")
    assert (again.returncode, again.stdout) == (0, "")


def test_games_that_were_kept_for_another_release_are_not_put_back(machine: Machine) -> None:
    """A trial that an older setup.sh began kept its games elsewhere; these are of another day."""
    data, first = with_games(machine)
    keep(machine, first.with_name("19991231-000000"))
    (machine.current.parent / "trying").write_text(f"{first}\n")
    assert machine.run("sh", str(machine.current.parent / "setup.sh"), "recover").returncode == 0
    assert (data / "games.sqlite-wal").read_text() == "the newest moves\n"


def with_a_release_before(machine: Machine, kept_for: str = "before") -> tuple[Path, Path, Path]:
    """An installed companion that was updated once: its games, the release before, and the one that runs."""
    data, first = with_games(machine)
    now = first.with_name("20300101-000000")
    shutil.copytree(first, now)
    machine.current.unlink()
    machine.current.symlink_to(now)
    (machine.current.parent / "previous").symlink_to(first)
    (data / "games.sqlite").write_text("our games, with those played since\n")
    keep(machine, first if kept_for == "before" else now)
    machine.programs["tock"] = TOCK_THAT_COPIES
    return data, first, now


TOCK_THAT_COPIES = """#!/bin/sh
echo "tock $*" >>"$LOG"
case "$*" in "game backup "*) mkdir -p "$(dirname "$3")" && cp "$TOCK_DATA/games.sqlite" "$3" ;; esac
"""
SYSTEMCTL_WHERE_OLD_READS_OLD = """#!/bin/sh
echo "systemctl $*" >>"$LOG"
case "$*" in
"restart tock-companion.service")
    case "$(readlink "$DESTDIR/opt/tock-companion/current")" in
    */20200101-000000) ! grep -q "played since" "$DESTDIR/var/lib/tock-companion/games.sqlite" ;;
    esac ;;
esac
"""


def go_back(machine: Machine, systemctl: str) -> subprocess.CompletedProcess[str]:
    for release in (machine.current.parent / "releases").iterdir():
        (release / "bin/tock").write_text(machine.programs["tock"])
        (release / "bin/tock").chmod(0o755)
    machine.programs["systemctl"] = systemctl
    return machine.run("sh", SETUP, "back")


def copies(data: Path) -> list[str]:
    return [path.read_text() for path in (data / "backups").iterdir()]


def test_going_back_keeps_the_games_and_a_copy_of_them(machine: Machine) -> None:
    data, first, now = with_a_release_before(machine)
    done = go_back(machine, LOGGED)
    assert done.returncode == 0, done.stderr
    assert machine.current.resolve() == first
    assert (machine.current.parent / "previous").resolve() == now
    assert (data / "games.sqlite").read_text() == "our games, with those played since\n"
    assert copies(data) == ["our games, with those played since\n"]
    assert str(data / "backups") in done.stdout
    assert not (machine.current.parent / "trying").exists()


def test_a_release_before_that_cannot_read_newer_games_gets_its_own_and_says_how_to_get_the_others(
    machine: Machine,
) -> None:
    data, first, _ = with_a_release_before(machine)
    done = go_back(machine, SYSTEMCTL_WHERE_OLD_READS_OLD)
    assert done.returncode == 0, done.stderr
    assert machine.current.resolve() == first
    assert (data / "games.sqlite").read_text() == "our games\n"
    assert copies(data) == ["our games, with those played since\n"]
    assert "tock game restore " in done.stdout


def test_where_the_release_before_does_not_start_the_newer_one_goes_on_with_its_games(
    machine: Machine,
) -> None:
    # The kept games are of the running release, from an update that failed since.
    data, first, now = with_a_release_before(machine, kept_for="now")
    done = go_back(machine, SYSTEMCTL_WHERE_OLD_READS_OLD)
    assert done.returncode == 1
    assert "this one goes on with its games" in done.stderr
    assert kept_games(machine) == "our games\n"
    assert machine.current.resolve() == now
    assert (data / "games.sqlite").read_text() == "our games, with those played since\n"
    assert first.exists()


def test_nothing_is_changed_where_the_games_cannot_be_copied(machine: Machine) -> None:
    _, _, now = with_a_release_before(machine)
    machine.programs["tock"] = "#!/bin/sh\nexit 1\n"
    done = go_back(machine, LOGGED)
    assert done.returncode == 1
    assert "nothing was changed" in done.stderr
    assert machine.current.resolve() == now
    assert kept_games(machine) == "our games\n"


def test_a_power_cut_while_going_back_leaves_both_releases(machine: Machine) -> None:
    data, first, now = with_a_release_before(machine, kept_for="now")
    prefix = machine.current.parent
    (prefix / "trying").write_text(f"{now}\n")
    machine.current.unlink()
    machine.current.symlink_to(first)
    assert machine.run("sh", str(prefix / "setup.sh"), "recover").returncode == 0
    assert machine.current.resolve() == now
    assert first.exists()
    assert (data / "games.sqlite").exists()


def test_an_update_for_which_there_is_no_room_leaves_everything_running(machine: Machine) -> None:
    data, first = with_games(machine)
    machine.programs["systemctl"] = LOGGED
    machine.programs["tar"] = "#!/bin/sh\necho 'tar: No space left on device' >&2\nexit 2\n"
    done = machine.install()
    assert done.returncode == 1
    assert "there is no room to keep the games" in done.stderr
    assert machine.log.splitlines()[-1] == "systemctl start tock-companion.service"
    assert machine.current.resolve() == first
    assert (data / "games.sqlite").read_text() == "our games\n"
    assert list(first.parent.iterdir()) == [first]
