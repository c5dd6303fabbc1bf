"""An arm64 Debian root that runs here by emulation, made and entered by the scripts `tools/arm64-*.sh`."""

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
TOOLS = REPOSITORY / "tools"
SOURCE = "/srv/tock"
LIBRARIES = "/srv/libraries"
"""In a root: a copy of the sources, and what their tests need."""


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def output(self) -> str:
        """The last line it printed, errors last."""
        return ((self.out + self.err).strip() or "nothing").splitlines()[-1]


@dataclass(frozen=True)
class Root:
    """One root, named after its Debian release."""

    suite: str
    folder: Path
    shown: tuple[Path, ...] = ()
    """Folders of this machine that are read there under the same names."""

    @property
    def python(self) -> str:
        """The version of its Python: 3.13."""
        return next(self.folder.glob("usr/lib/python3.*")).name.removeprefix("python")

    def make(self) -> None:
        """Make it if it is not there; takes half an hour."""
        subprocess.run(["sh", TOOLS / "arm64-root.sh", self.suite, self.folder], check=True)

    def start(self, *command: str, network: bool = False, stdin: Path | None = None) -> subprocess.Popen[str]:
        """Start a command in it, whose process this is."""
        environment = {**os.environ, "ARM64_SHOW": " ".join(map(str, self.shown))}
        if network:
            environment["ARM64_NETWORK"] = "1"
        with Path(stdin or os.devnull).open(encoding="utf-8") as given:
            return subprocess.Popen(
                ["sh", TOOLS / "arm64-enter.sh", self.folder, *command],
                env=environment,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

    def run(self, *command: str, network: bool = False, stdin: Path | None = None) -> Done:
        """Run a command in it to its end."""
        began_s = time.monotonic()
        with self.start(*command, network=network, stdin=stdin) as process:
            out, err = process.communicate()
        return Done(process.returncode, out, err, time.monotonic() - began_s)

    def copy_sources(self) -> None:
        """Give it the last commit's files, and packages that need no network."""
        target = self.folder / SOURCE.lstrip("/")
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--depth=1", REPOSITORY.as_uri(), target], check=True)

    def add_libraries(self, requirements: list[str]) -> None:
        """Unpack wheels for its Python and its processor, by this machine's pip."""
        target = self.folder / LIBRARIES.lstrip("/")
        shutil.rmtree(target, ignore_errors=True)
        platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in (34, 28, 27, 17)]
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--only-binary=:all:"),
                *("--implementation=cp", f"--python-version={self.python}", *platforms),
                *("--platform=manylinux2014_aarch64", "--target", str(target), *requirements),
            ],
            check=True,
        )
