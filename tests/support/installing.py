"""A folder that stands for a machine on which setup.sh installs; its programs only note how they were called."""

import os
import subprocess
import tarfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETUP = str(ROOT / "packaging/setup.sh")
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
INSTALL = """#!/bin/sh
case "$*" in *"-o tock"*) for folder; do :; done; exec mkdir -p "$folder" ;; esac
exec /usr/bin/install "$@"
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
            "install": INSTALL,
            "systemctl": "#!/bin/sh\nexit 1\n",
            "setpriv": '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n',
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
        return self.run("sh", SETUP, "install", str(ROOT))

    @property
    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    @property
    def current(self) -> Path:
        return self.folder / "root/opt/tock-companion/current"


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


def keep(machine: Machine, release: Path) -> None:
    """Keep games as an update does, for the release that it would go back to."""
    kept = machine.current.parent / "before-update"
    kept.mkdir()
    (kept / "release").write_text(f"{release}\n")
    text = b"our games\n"
    entry = tarfile.TarInfo("games.sqlite")
    entry.size = len(text)
    with tarfile.open(kept / "games.tar", "w") as archive:
        archive.addfile(entry, BytesIO(text))


def kept_games(machine: Machine) -> str:
    """The games that an update has kept."""
    with tarfile.open(machine.current.parent / "before-update/games.tar") as archive:
        file = archive.extractfile("games.sqlite")
        assert file is not None
        return file.read().decode()
