"""Setting a machine up, updating it and removing everything again, also where links are planted."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installing import LOGGED, ROOT, SETUP, Machine


@pytest.mark.parametrize("architecture", ["armhf", "armel", "i386"])
@pytest.mark.parametrize(
    "command",
    [
        ("install.sh",),
        ("packaging/setup.sh", "install", "."),
        ("tools/make-venv.sh", "venv"),
    ],
)
def test_a_32_bit_system_is_refused_in_one_line_before_anything_is_done(
    machine: Machine, architecture: str, command: tuple[str, ...]
) -> None:
    machine.architecture = architecture
    done = machine.run("sh", str(ROOT / command[0]), *command[1:])
    assert done.returncode == 2
    assert done.stderr == "tock: this system is 32-bit; use Raspberry Pi OS (64-bit)\n"
    assert done.stdout == ""
    assert machine.log == ""


def test_a_64_bit_system_gets_a_release_of_wheels_only(machine: Machine) -> None:
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert machine.current.exists()
    calls = [line for line in machine.log.splitlines() if line.startswith("pip ")]
    assert calls
    assert all("--only-binary=:all:" in line for line in calls)
    assert "--system-site-packages" not in machine.log


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ("[pi]", "gpiozero was not installed"),
        ("[club]", "a club's desk were not installed"),
        ("[workshop]", "ezdxf was not installed"),
    ],
)
def test_a_missing_optional_part_stops_no_installation(machine: Machine, extra: str, says: str) -> None:
    machine.pip_fails = extra
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    assert machine.current.exists()


def test_without_a_wheel_of_lgpio_apt_is_named(machine: Machine) -> None:
    machine.lgpio = False
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert "sudo apt install python3-lgpio" in done.stdout


@pytest.mark.parametrize("library", ["lgpio", "picamera2"])
def test_libraries_of_the_system_are_seen_but_not_counted_on(machine: Machine, library: str) -> None:
    machine.system_has = library
    assert machine.install().returncode == 0
    assert "--system-site-packages" in machine.log
    own = next(line for line in machine.log.splitlines() if line.startswith("pip "))
    assert "--ignore-installed" in own


def test_a_ribbon_camera_gets_a_simplejpeg_for_our_numpy(machine: Machine) -> None:
    machine.system_has = "picamera2"
    assert machine.install().returncode == 0
    assert f"{ROOT}[ribbon]" in machine.log


def test_a_release_that_cannot_be_completed_is_taken_away(machine: Machine) -> None:
    machine.pip_fails = "install"
    assert machine.install().returncode != 0
    assert not machine.current.exists()
    assert list((machine.folder / "root/opt/tock-companion/releases").iterdir()) == []


def test_only_enabled_services_are_listed_as_starting_with_the_machine(machine: Machine) -> None:
    done = machine.install()
    assert "starts with the machine" not in done.stdout
    assert "does not start by itself" in done.stdout
    machine.programs["systemctl"] = LOGGED
    again = machine.install()
    assert "the companion starts with the machine" in again.stdout


def test_the_pins_library_may_write_where_the_service_runs() -> None:
    """Importing lgpio makes a pipe in its working folder; without LG_WD that is /, which the unit makes read-only."""
    unit = (ROOT / "packaging/tock-companion.service").read_text()
    assert "ProtectSystem=strict" in unit
    assert "RuntimeDirectory=tock-companion\n" in unit
    assert "Environment=LG_WD=/run/tock-companion\n" in unit


def test_every_unit_that_is_placed_is_also_removed(machine: Machine) -> None:
    assert machine.install().returncode == 0
    units = machine.folder / "root/etc/systemd/system"
    assert {path.name for path in units.iterdir()} >= {
        "tock-companion-helper.socket",
        "tock-companion-helper@.service",
        "tock-companion-recover.service",
        "tock-companion-update.service",
        "tock-companion-wifi.service",
    }
    assert machine.run("sh", SETUP, "remove").returncode == 0
    assert list(units.iterdir()) == []
    assert not machine.current.parent.exists()


def test_only_the_companions_user_reaches_the_helper() -> None:
    socket = (ROOT / "packaging/tock-companion-helper.socket").read_text()
    assert "SocketGroup=tock\n" in socket
    assert "SocketMode=0660\n" in socket


NOBODY = 65534
SECRET = "what only the superuser may read\n"
AS_NOBODY = f"/usr/bin/setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups"
PLANT = """#!/bin/sh
data=$DESTDIR/var/lib/tock-companion
[ -e "$DESTDIR/armed" ] && cd "$data" || exit 0
/bin/rm -rf *
/bin/cp -P "$DESTDIR"/links/* .
"""
TO_THE_SECRET = ("games.sqlite", "games.sqlite-wal", "tock.toml")
TO_ITS_FOLDER = ("backups", "before-update", "before-update.older", "update")
SYSTEMCTL = """#!/bin/sh
plant
case "$*" in "restart tock-companion.service") [ ! -e "$DESTDIR/fails" ] ;; esac
"""
INSTALL = f"""#!/bin/sh
plant
case "$*" in *"-o tock"*) for folder; do :; done; mkdir -p "$folder"; exec chown {NOBODY}:{NOBODY} "$folder" ;; esac
exec /usr/bin/install "$@"
"""


TOCK = """#!/bin/sh
case "$*" in
"game backup "*) mkdir -p "$(dirname "$3")" && cat "$TOCK_DATA/games.sqlite" >"$3" ;;
"config init "*) set -C && echo settings >"$3" ;;
esac
"""


def planting(program: str) -> str:
    """A program of the system before which the links are planted, and once more whenever it has taken them away."""
    return f'#!/bin/sh\nplant\n{program} "$@"\ncode=$?\nplant\nexit $code\n'


@pytest.fixture
def attacked() -> Iterator[Machine]:
    """A machine with a release, on which the companion's user is in strangers' hands."""
    # A test before this one may have run a command, which writes for its user alone.
    mask = os.umask(0o022)
    folder = Path(tempfile.mkdtemp(prefix="tock-attacked-", dir="/tmp"))
    folder.chmod(0o755)
    machine = Machine(folder)
    treasure = folder / "root/treasure"
    treasure.mkdir(parents=True)
    (treasure / "secret").write_text(SECRET)
    (treasure / "secret").chmod(0o600)
    (folder / "root/links").mkdir()
    for name in TO_THE_SECRET:
        (folder / "root/links" / name).symlink_to(treasure / "secret")
    for name in TO_ITS_FOLDER:
        (folder / "root/links" / name).symlink_to(treasure)
    (folder / "log").touch()
    (folder / "log").chmod(0o666)
    machine.programs = {
        "plant.sh": PLANT,
        "plant": f'#!/bin/sh\nexec {AS_NOBODY} sh "$SHIMS/plant.sh"\n',
        "setpriv": f'#!/bin/sh\nplant\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec {AS_NOBODY} "$@"\n',
        "install": INSTALL,
        "systemctl": SYSTEMCTL,
        "chown": f'#!/bin/sh\nplant\nshift\nexec /bin/chown {NOBODY}:{NOBODY} "$@"\n',
        "tock": TOCK,
        **{name: planting(f"/bin/{name}") for name in ("cp", "mv", "rm", "tar", "cat", "sync")},
    }
    yield prepared(machine)
    shutil.rmtree(folder)
    os.umask(mask)


def prepared(machine: Machine) -> Machine:
    """The machine with a release on it, from the moment on at which strangers come in."""
    done = machine.install()
    assert done.returncode == 0, done.stderr
    (machine.folder / "root/run/systemd/system").mkdir(parents=True)
    first = machine.current.resolve().rename(machine.current.resolve().with_name("20200101-000000"))
    machine.current.unlink()
    machine.current.symlink_to(first)
    (machine.folder / "root/armed").touch()
    return machine


def is_untouched(machine: Machine) -> bool:
    """Whether the treasure is as it was, and nothing of it is where the companion's user can read it."""
    treasure = machine.folder / "root/treasure"
    secret = treasure / "secret"
    found = secret.lstat()
    others = [
        path
        for path in (machine.folder / "root/var/lib/tock-companion").rglob("*")
        if not path.is_symlink() and path.is_file() and SECRET in path.read_text()
    ]
    return (
        list(treasure.iterdir()) == [secret]
        and secret.read_text() == SECRET
        and (found.st_uid, found.st_mode & 0o7777) == (0, 0o600)
        and treasure.stat().st_uid == 0
        and others == []
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be two users")
def test_an_update_touches_nothing_outside_the_companions_folder(attacked: Machine) -> None:
    assert attacked.install().returncode == 0
    assert is_untouched(attacked)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be two users")
def test_nor_does_one_that_is_taken_back(attacked: Machine) -> None:
    (attacked.folder / "root/fails").touch()
    done = attacked.install()
    assert "the one before runs again" in done.stderr
    assert is_untouched(attacked)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be two users")
def test_nor_does_going_back_whether_the_older_release_starts_or_not(attacked: Machine) -> None:
    assert attacked.install().returncode == 0
    for fails in (False, True):
        if fails:
            (attacked.folder / "root/fails").touch()
        attacked.run("sh", SETUP, "back")
        assert is_untouched(attacked)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be two users")
def test_nor_does_taking_back_what_the_power_ended(attacked: Machine) -> None:
    assert attacked.install().returncode == 0
    prefix = attacked.current.parent
    (prefix / "trying").write_text(f"{(prefix / 'previous').resolve()}\n")
    assert attacked.run("sh", str(prefix / "setup.sh"), "recover").returncode == 0
    assert is_untouched(attacked)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be two users")
def test_nor_does_removing_with_the_games(attacked: Machine) -> None:
    assert attacked.run("sh", SETUP, "remove", "--games").returncode == 0
    assert is_untouched(attacked)
