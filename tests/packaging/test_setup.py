"""Installing on machines that lack something: each is told in one line, and nothing is left half done."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = """#!/bin/sh
echo "python3 $*" >>"$LOG"
case "$*" in
*find_spec*) for name in $SYSTEM_HAS; do case "$*" in *"'$name'"*) exit 0 ;; esac; done; exit 1 ;;
"-m venv "*)
    for folder; do :; done
    mkdir -p "$folder/bin"
    cp "$SHIMS/pip" "$SHIMS/python" "$SHIMS/tock" "$folder/bin"
    ;;
esac
"""
PIP = """#!/bin/sh
echo "pip $*" >>"$LOG"
case "$*" in *"$PIP_FAILS"*) echo "No matching distribution found" >&2; exit 1 ;; esac
"""
IN_RELEASE = """#!/bin/sh
case "$*" in *lgpio*) exit "$NO_LGPIO" ;; esac
"""
LOGGED = """#!/bin/sh
echo "$(basename "$0") $*" >>"$LOG"
"""


@dataclass
class Machine:
    """A folder that stands for a machine, and programs that only write down how they were called."""

    folder: Path
    architecture: str = "arm64"
    system_has: str = ""
    pip_fails: str = "nothing"
    lgpio: bool = True
    programs: dict[str, str] = field(default_factory=dict)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        shims = self.folder / "shims"
        shims.mkdir(exist_ok=True)
        programs = {
            "dpkg": f"#!/bin/sh\necho {self.architecture}\n",
            "id": "#!/bin/sh\necho 0\n",
            "python3": PYTHON,
            "pip": PIP,
            "python": IN_RELEASE,
            "tock": LOGGED,
            "chown": LOGGED,
            "install": '#!/bin/sh\ncase "$*" in *"-o tock"*) exit 0 ;; esac\nexec /usr/bin/install "$@"\n',
            "systemctl": "#!/bin/sh\nexit 1\n",
            "runuser": '#!/bin/sh\nshift 3\nexec "$@"\n',
            **dict.fromkeys(
                ("getent", "useradd", "usermod", "apt-get", "apt-cache", "sudo", "udevadm"), LOGGED
            ),
            **self.programs,
        }
        for name, text in programs.items():
            (shims / name).write_text(text)
            (shims / name).chmod(0o755)
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env={
                "PATH": f"{shims}:{os.environ['PATH']}",
                "DESTDIR": str(self.folder / "root"),
                "LOG": str(self.folder / "log"),
                "SHIMS": str(shims),
                "SYSTEM_HAS": self.system_has,
                "PIP_FAILS": self.pip_fails,
                "NO_LGPIO": "0" if self.lgpio else "1",
            },
        )

    def install(self) -> subprocess.CompletedProcess[str]:
        return self.run("sh", str(ROOT / "packaging/setup.sh"), "install", str(ROOT))

    @property
    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    @property
    def current(self) -> Path:
        return self.folder / "root/opt/tock-companion/current"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("architecture", ["armhf", "armel", "i386"])
@pytest.mark.parametrize(
    "command",
    [
        ("install.sh",),
        ("packaging/setup.sh", "install", "."),
        ("tools/make-venv.sh", "venv"),
    ],
)
def test_a_32_bit_system_is_told_in_one_line_before_anything_is_done(
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


def test_a_panel_that_cannot_be_installed_stops_nothing(machine: Machine) -> None:
    machine.pip_fails = "[pi]"
    done = machine.install()
    assert done.returncode == 0, done.stderr
    assert "gpiozero was not installed" in done.stdout
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


def test_only_what_was_enabled_is_said_to_start_with_the_machine(machine: Machine) -> None:
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


def with_games(machine: Machine) -> tuple[Path, Path]:
    """An installed companion with games, on a machine where systemd runs: its games and the release that runs."""
    assert machine.install().returncode == 0
    root = machine.folder / "root"
    data = root / "var/lib/tock-companion"
    data.mkdir(parents=True, exist_ok=True)
    (data / "games.sqlite").write_text("our games\n")
    (data / "games.sqlite-wal").write_text("the newest moves\n")
    (root / "run/systemd/system").mkdir(parents=True)
    # The next release gets another name.
    first = machine.current.resolve().rename(machine.current.resolve().with_name("20200101-000000"))
    machine.current.unlink()
    machine.current.symlink_to(first)
    return data, first


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
    kept = data / "before-update"
    kept.mkdir()
    (kept / "games.sqlite").write_text("our games\n")
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


def with_a_release_before(machine: Machine, kept_for: str = "before") -> tuple[Path, Path, Path]:
    """An installed companion that was updated once: its games, the release before, and the one that runs."""
    data, first = with_games(machine)
    now = first.with_name("20300101-000000")
    shutil.copytree(first, now)
    machine.current.unlink()
    machine.current.symlink_to(now)
    (machine.current.parent / "previous").symlink_to(first)
    (data / "games.sqlite").write_text("our games, with those played since\n")
    kept = data / "before-update"
    kept.mkdir()
    (kept / "games.sqlite").write_text("our games\n")
    (kept / "release").write_text(f"{first if kept_for == 'before' else now}\n")
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
    return machine.run("sh", str(ROOT / "packaging/setup.sh"), "back")


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
    # What is kept is of the release that runs, from an update that failed since.
    data, first, now = with_a_release_before(machine, kept_for="now")
    done = go_back(machine, SYSTEMCTL_WHERE_OLD_READS_OLD)
    assert done.returncode == 1
    assert "this one goes on with its games" in done.stderr
    assert machine.current.resolve() == now
    assert (data / "games.sqlite").read_text() == "our games, with those played since\n"
    assert first.exists()


def test_nothing_is_changed_where_the_games_cannot_be_copied(machine: Machine) -> None:
    data, _, now = with_a_release_before(machine)
    machine.programs["tock"] = "#!/bin/sh\nexit 1\n"
    done = go_back(machine, LOGGED)
    assert done.returncode == 1
    assert "free space" in done.stderr
    assert machine.current.resolve() == now
    assert (data / "before-update/games.sqlite").read_text() == "our games\n"


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
    machine.programs["cp"] = """#!/bin/sh
case "$*" in *before-update*) exit 1 ;; esac
exec /bin/cp "$@"
"""
    done = machine.install()
    assert done.returncode == 1
    assert "there is no room to keep the games" in done.stderr
    assert machine.log.splitlines()[-1] == "systemctl start tock-companion.service"
    assert machine.current.resolve() == first
    assert (data / "games.sqlite").read_text() == "our games\n"
    assert list(first.parent.iterdir()) == [first]


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
    assert machine.run("sh", str(ROOT / "packaging/setup.sh"), "remove").returncode == 0
    assert list(units.iterdir()) == []
    assert not machine.current.parent.exists()


def test_only_the_companions_user_reaches_the_helper() -> None:
    socket = (ROOT / "packaging/tock-companion-helper.socket").read_text()
    assert "SocketGroup=tock\n" in socket
    assert "SocketMode=0660\n" in socket
