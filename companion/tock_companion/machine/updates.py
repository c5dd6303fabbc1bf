"""A new package: taken in, checked, tried, and either kept or rolled back. Never started automatically."""

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from tock_companion.errors import BadInputError, TockError, one_line
from tock_companion.files import replace_file
from tock_companion.machine import usb_sticks
from tock_companion.machine.commands import CommandError, output_of
from tock_companion.machine.keyrings import trusted_keys
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.update_checks import Candidate, copy_archive, copy_folder, examined
from tock_companion.strict_json import read_object

FOLDER = Path("/var/lib/tock-companion-helper")
DATA = Path("/var/lib/tock-companion")
UPLOAD = "update/upload.tar"
"""The page's uploads, in the folder of the companion's user."""
SETUP = Path("/opt/tock-companion/setup.sh")
UNIT = "tock-companion-update.service"
SERVICE = "tock-companion.service"
TRIAL_S, UNPACK_S = 3600.0, 600.0
MAX_NOTE_BYTES = 4000
ENVIRONMENT_OF_DPKG = {"TOCK_TRIED": "1", "DEBIAN_FRONTEND": "noninteractive"}
"""Tells the package's script that its release runs already."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an update: `waiting`, `trying`, `recording`, `done` or `failed`."""

    phase: str
    version: str
    before: str
    reason: str = ""


class Updates:
    """The host's operations on the package; the folder is the superuser's alone.

    No caller is trusted: a release that apt does not verify with a trusted key, or an older one, goes no further.
    """

    def __init__(
        self,
        folder: Path = FOLDER,
        data: Path = DATA,
        setup: Path = SETUP,
        keys: Callable[[], Sequence[Path]] = trusted_keys,
    ) -> None:
        """Keep the package that is examined and the progress in `folder`; `data` is the companion's own."""
        self._folder = folder
        self._data = data
        self._setup = setup
        self._keys = keys
        self._package = folder / "candidate.deb"
        self._repository = folder / "repository"

    def status(self) -> dict[str, object]:
        """The package that waits for approval, and the outcome of the last update."""
        candidate, progress = self._candidate(), self._progress()
        return {
            "candidate": asdict(candidate) if candidate else None,
            "progress": asdict(progress) if progress else None,
        }

    def take_upload(self) -> dict[str, object]:
        return self._take(lambda target: copy_archive(self._data, UPLOAD, target))

    def look_on_sticks(self) -> dict[str, object]:
        """The names of our packages on USB sticks."""
        with usb_sticks.mounted() as folders:
            return {"names": sorted({name for folder in folders for name in usb_sticks.packages(folder)})}

    def take_from_stick(self, name: str) -> dict[str, object]:
        """Take the release with a package of this name from a USB stick."""
        with usb_sticks.mounted() as folders:
            for folder in folders:
                files = usb_sticks.packages(folder).get(name)
                if files is not None:
                    return self._take(partial(copy_folder, folder, files))
        raise RefusedError("update/missing")

    def forget(self) -> dict[str, object]:
        """Discard the waiting package and the news of the last update."""
        with self._alone():
            self._drop_candidate()
            (self._folder / "progress.json").unlink(missing_ok=True)
        return self.status()

    def begin(self, sha256: str) -> dict[str, object]:
        """Start the update to exactly the package that the host was shown."""
        with self._alone():
            candidate = self._candidate()
            if candidate is None or candidate.sha256 != sha256:
                raise RefusedError("update/missing")
            examined(self._repository, self._package, self._keys())
            self._note(Progress("waiting", candidate.version, candidate.installed))
        output_of(("systemctl", "start", "--no-block", UNIT))
        return self.status()

    def install(self) -> None:
        """Try the package in a release of its own and record it; every way out leaves a release that runs."""
        with self._locked(fcntl.LOCK_EX):
            self._install()

    def _install(self) -> None:
        progress = self._progress()
        if progress is None or progress.phase != "waiting":
            return
        progress = Progress("trying", progress.version, progress.before)
        self._note(progress)
        stage = self._folder / "stage"
        try:
            shutil.rmtree(stage, ignore_errors=True)
            examined(self._repository, self._package, self._keys())
            output_of(("dpkg-deb", "--extract", str(self._package), str(stage)), UNPACK_S)
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
        """Clean up after a power cut; an update under way is left alone."""
        try:
            state = output_of(("systemctl", "show", "--property=ActiveState", "--value", UNIT)).strip()
        except CommandError:
            state = ""
        if state in ("", "inactive", "failed"):
            self.resume()

    def resume(self) -> None:
        """Clean up after a power cut or a kill: nothing untried stays, nothing tried is lost."""
        if self._progress() is not None:
            with self._locked(fcntl.LOCK_EX):
                self._resume()

    def _resume(self) -> None:
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
        """Inform dpkg; the same call repeats a half-finished one."""
        reason = ""
        try:
            self._run("dpkg.txt", "dpkg", "--install", str(self._package), **ENVIRONMENT_OF_DPKG)
        except CommandError as error:
            reason = one_line(str(error))
        self._drop_candidate()
        self._note(Progress("done", progress.version, progress.before, reason))

    def _drop_candidate(self) -> None:
        for path in (self._package, self._package.with_suffix(".json")):
            path.unlink(missing_ok=True)
        for folder in (self._repository, self._folder / "apt"):
            shutil.rmtree(folder, ignore_errors=True)

    def _take(self, copy: Callable[[Path], None]) -> dict[str, object]:
        with self._alone():
            self._drop_candidate()
            self._repository.mkdir()
            try:
                copy(self._repository)
                candidate = examined(self._repository, self._package, self._keys())
            except BaseException:
                self._drop_candidate()
                raise
            replace_file(self._package.with_suffix(".json"), json.dumps(asdict(candidate)))
            (self._folder / "progress.json").unlink(missing_ok=True)
        return self.status()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the package against other requests and the update itself; RefusedError while one of them is active.

        Without this a second request could write into the file that the first one has just accepted.
        """
        with ExitStack() as stack:
            try:
                stack.enter_context(self._locked(fcntl.LOCK_EX | fcntl.LOCK_NB))
            except BlockingIOError:
                raise RefusedError("update/busy") from None
            if self._is_busy():
                raise RefusedError("update/busy")
            yield

    @contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._folder / "lock").open("w") as lock:
            fcntl.flock(lock, how)
            yield

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
            return Candidate(**read_object(self._package.with_suffix(".json"), MAX_NOTE_BYTES, "package"))
        except (BadInputError, ValueError, TypeError):
            return None

    def _progress(self) -> Progress | None:
        try:
            return Progress(**read_object(self._folder / "progress.json", MAX_NOTE_BYTES, "progress"))
        except (BadInputError, ValueError, TypeError):
            return None

    def _note(self, progress: Progress) -> None:
        replace_file(self._folder / "progress.json", json.dumps(asdict(progress)))
