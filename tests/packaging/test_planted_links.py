"""setup.sh works as the superuser beside a folder of the companion's user, who may plant links there at any moment.

Run as the superuser with a second user who does: every program that setup.sh starts first has all names in that folder
replaced by links to a treasure.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installing import SETUP, Machine

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can be two users")
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


def test_an_update_touches_nothing_outside_the_companions_folder(attacked: Machine) -> None:
    assert attacked.install().returncode == 0
    assert is_untouched(attacked)


def test_nor_does_one_that_is_taken_back(attacked: Machine) -> None:
    (attacked.folder / "root/fails").touch()
    done = attacked.install()
    assert "the one before runs again" in done.stderr
    assert is_untouched(attacked)


def test_nor_does_going_back_whether_the_older_release_starts_or_not(attacked: Machine) -> None:
    assert attacked.install().returncode == 0
    for fails in (False, True):
        if fails:
            (attacked.folder / "root/fails").touch()
        attacked.run("sh", SETUP, "back")
        assert is_untouched(attacked)


def test_nor_does_taking_back_what_the_power_ended(attacked: Machine) -> None:
    assert attacked.install().returncode == 0
    prefix = attacked.current.parent
    (prefix / "trying").write_text(f"{(prefix / 'previous').resolve()}\n")
    assert attacked.run("sh", str(prefix / "setup.sh"), "recover").returncode == 0
    assert is_untouched(attacked)


def test_nor_does_removing_with_the_games(attacked: Machine) -> None:
    assert attacked.run("sh", SETUP, "remove", "--games").returncode == 0
    assert is_untouched(attacked)
