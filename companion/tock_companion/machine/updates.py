"""A new package: taken in, checked, tried, and either kept or taken back. Never begun by itself."""

import json
import os
import shutil
import subprocess
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tock_companion.errors import BadInputError, TockError, one_line
from tock_companion.files import read_text_bounded, replace_file
from tock_companion.machine import sticks
from tock_companion.machine.commands import CommandError, output_of
from tock_companion.machine.packages import Candidate, copy_of, examined, unpack
from tock_companion.machine.refused import RefusedError

FOLDER = Path("/var/lib/tock-companion-helper")
UPLOAD = Path("/var/lib/tock-companion/update/upload.deb")
SETUP = Path("/opt/tock-companion/setup.sh")
UNIT = "tock-companion-update.service"
SERVICE = "tock-companion.service"
TRIAL_S = 3600.0
ENVIRONMENT_OF_DPKG = {"TOCK_TRIED": "1", "DEBIAN_FRONTEND": "noninteractive"}
"""Tells the package's script that its release runs already."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an update is: `waiting`, `trying`, `recording`, `done` or `failed`."""

    phase: str
    version: str
    before: str
    reason: str = ""


class Updates:
    """What the host may do about the package; the folder is the superuser's alone."""

    def __init__(self, folder: Path = FOLDER, upload: Path = UPLOAD, setup: Path = SETUP) -> None:
        """Keep the package that is examined and the progress in `folder`."""
        self._folder = folder
        self._upload = upload
        self._setup = setup
        self._package = folder / "candidate.deb"

    def status(self) -> dict[str, object]:
        """The package that waits for a yes, and how the last update went."""
        candidate, progress = self._candidate(), self._progress()
        return {
            "candidate": asdict(candidate) if candidate else None,
            "progress": asdict(progress) if progress else None,
        }

    def take_upload(self) -> dict[str, object]:
        """Take what the page has received."""
        return self._take(self._upload)

    def look_on_sticks(self) -> dict[str, object]:
        """The names of our packages on USB sticks."""
        with sticks.mounted() as folders:
            return {"names": sorted({path.name for folder in folders for path in sticks.packages(folder)})}

    def take_from_stick(self, name: str) -> dict[str, object]:
        """Take a package from a USB stick by its name."""
        with sticks.mounted() as folders:
            for folder in folders:
                if name in {path.name for path in sticks.packages(folder)}:
                    return self._take(folder / name)
        raise RefusedError("update/missing")

    def forget(self) -> dict[str, object]:
        """Throw away the package that waits and the news of the last update."""
        if self._is_busy():
            raise RefusedError("update/busy")
        for name in ("candidate.deb", "candidate.json", "progress.json"):
            (self._folder / name).unlink(missing_ok=True)
        return self.status()

    def begin(self, sha256: str) -> dict[str, object]:
        """Start the update to exactly the package that the host was shown."""
        candidate = self._candidate()
        if candidate is None or candidate.sha256 != sha256:
            raise RefusedError("update/missing")
        if self._is_busy():
            raise RefusedError("update/busy")
        self._note(Progress("waiting", candidate.version, candidate.installed))
        output_of(("systemctl", "start", "--no-block", UNIT))
        return self.status()

    def install(self) -> None:
        """Try the package in a release of its own and record it; every way out leaves a release that runs."""
        progress = self._progress()
        if progress is None or progress.phase != "waiting":
            return
        progress = Progress("trying", progress.version, progress.before)
        self._note(progress)
        stage = self._folder / "stage"
        try:
            shutil.rmtree(stage, ignore_errors=True)
            unpack(self._package, stage)
            ours = stage / "usr/lib/tock-companion"
            self._run("try.txt", "sh", str(ours / "setup.sh"), "install", str(ours / "wheels"))
        except (TockError, OSError) as error:
            self._note(Progress("failed", progress.version, progress.before, one_line(str(error))))
            return
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        self._note(Progress("recording", progress.version, progress.before))
        self._record(progress)

    def resume_at_start(self) -> None:
        """Put in order what a power cut has left; an update that is under way is left alone."""
        try:
            state = output_of(("systemctl", "show", "--property=ActiveState", "--value", UNIT)).strip()
        except CommandError:
            state = ""
        if state in ("", "inactive", "failed"):
            self.resume()

    def resume(self) -> None:
        """Put in order what a power cut or a kill has left: nothing untried stays, nothing tried is lost."""
        progress = self._progress()
        if progress is None:
            return
        if progress.phase in ("waiting", "trying"):
            with suppress(CommandError):
                self._run("recover.txt", "sh", str(self._setup), "recover")
                output_of(("systemctl", "start", "--no-block", SERVICE))
            shutil.rmtree(self._folder / "stage", ignore_errors=True)
            self._note(Progress("failed", progress.version, progress.before, "interrupted"))
        elif progress.phase == "recording":
            self._record(progress)

    def _record(self, progress: Progress) -> None:
        """Let dpkg know; what it left half done before is done again by the same call."""
        reason = ""
        try:
            self._run("dpkg.txt", "dpkg", "--install", str(self._package), **ENVIRONMENT_OF_DPKG)
        except CommandError as error:
            reason = one_line(str(error))
        for name in ("candidate.deb", "candidate.json"):
            (self._folder / name).unlink(missing_ok=True)
        self._note(Progress("done", progress.version, progress.before, reason))

    def _take(self, source: Path) -> dict[str, object]:
        if self._is_busy():
            raise RefusedError("update/busy")
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._package.with_suffix(".json").unlink(missing_ok=True)
        try:
            candidate = examined(self._package, copy_of(source, self._package))
        except BaseException:
            self._package.unlink(missing_ok=True)
            raise
        replace_file(self._package.with_suffix(".json"), json.dumps(asdict(candidate)))
        (self._folder / "progress.json").unlink(missing_ok=True)
        return self.status()

    def _run(self, log: str, *command: str, **environment: str) -> None:
        path = self._folder / log
        with path.open("w", encoding="utf-8") as out:
            code = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **environment},
                timeout=TRIAL_S,
                check=False,
            ).returncode
        if code:
            last = path.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            raise CommandError(last or f"{command[0]} ended with {code}")

    def _is_busy(self) -> bool:
        progress = self._progress()
        return progress is not None and progress.phase in ("waiting", "trying", "recording")

    def _candidate(self) -> Candidate | None:
        try:
            return Candidate(
                **json.loads(read_text_bounded(self._package.with_suffix(".json"), 4000, "package"))
            )
        except (BadInputError, ValueError, TypeError):
            return None

    def _progress(self) -> Progress | None:
        try:
            return Progress(**json.loads(read_text_bounded(self._folder / "progress.json", 4000, "progress")))
        except (BadInputError, ValueError, TypeError):
            return None

    def _note(self, progress: Progress) -> None:
        replace_file(self._folder / "progress.json", json.dumps(asdict(progress)))
