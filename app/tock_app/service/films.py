"""Draws films of games in low-priority child processes, so the table is not slowed down."""

import logging
import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from threading import Lock

from tock_companion.background import run_once
from tock_web.services import FilmKey, FilmProgress

LOG = logging.getLogger(__name__)
PROGRAM = (sys.executable, "-m", "tock_app.cli.main", "game", "film")
GENTLY = ("nice", "-n", "10") if which("nice") else ()
MAX_KEPT = 4
"""Kept films: one game in two languages, and the game before."""


class Films:
    """Draws one film at a time from a data folder; any thread may ask."""

    def __init__(self, data: Path) -> None:
        self._data, self._lock, self._drawing = data, Lock(), Lock()
        self._folder: TemporaryDirectory[str] | None = None
        self._films: dict[FilmKey, FilmProgress] = {}
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False

    def ask(self, key: FilmKey) -> None:
        """Draw a film, unless it exists or is under way."""
        with self._lock:
            known = self._films.get(key)
            if self._is_closed or (known is not None and known.state != "failed"):
                return
            self._films[key] = FilmProgress("making", 0)
        run_once("film", "draws the film of a game in a child process, once", lambda: self._draw(key))

    def progress(self, key: FilmKey) -> FilmProgress:
        """The progress of a film."""
        with self._lock:
            return self._films.get(key, FilmProgress("none", 0))

    def film(self, key: FilmKey) -> bytes | None:
        """A finished film, as an animated GIF."""
        try:
            return self._path(key).read_bytes() if self.progress(key).state == "ready" else None
        except OSError as error:
            LOG.error("a film cannot be read: %s", error.strerror)
            return None

    def close(self) -> None:
        """Stop drawing and forget all films."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self, key: FilmKey) -> Path:
        if self._folder is None:
            # Not before the first film: a companion killed without one leaves no folder.
            self._folder = TemporaryDirectory(prefix="tock-films-", ignore_cleanup_errors=True)
        return Path(self._folder.name) / f"{key.number}-{key.seq}-{key.lang}.gif"

    def _draw(self, key: FilmKey) -> None:
        with self._drawing:
            is_done = self._drawn(key)
        with self._lock:
            self._films[key] = FilmProgress("ready" if is_done else "failed", 100 if is_done else 0)
            ready = [one for one, film in self._films.items() if film.state == "ready"]
            for old in ready[:-MAX_KEPT]:
                del self._films[old]
                self._path(old).unlink(missing_ok=True)

    def _drawn(self, key: FilmKey) -> bool:
        with self._lock:
            if self._is_closed:
                return False
            what = ("--game", str(key.number), "--lang", key.lang, "--out", str(self._path(key)))
            self._process = subprocess.Popen(
                [*GENTLY, *PROGRAM, *what],
                env={**os.environ, "TOCK_DATA": str(self._data)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        last = ""
        assert self._process.stderr is not None
        with self._process.stderr as lines:
            for line in lines:
                last = line.strip()
                percent, _, unit = last.partition(" ")
                if unit == "%" and percent.isdecimal():
                    with self._lock:
                        self._films[key] = FilmProgress("making", int(percent))
        code = self._process.wait()
        if code and not self._is_closed:
            LOG.warning("the film of game %d could not be drawn (%s)", key.number, last or code)
        return code == 0
