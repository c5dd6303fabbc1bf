"""A PostgreSQL of Debian's on a socket of its own, started and stopped by tests."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.support.mosquitto import free_port

USER = "tock"


class PostgreSql:
    """One server with an empty database; nothing of it is kept."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tock-pg-"))
        self._port = free_port()
        self._as_user = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(self._folder, "nobody")

    @property
    def url(self) -> str:
        """The address of its database."""
        return f"postgresql://{USER}@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        program = self._program("initdb")
        data = self._folder / "data"
        self._run(program, "-D", str(data), "-U", USER, "--no-sync", "-A", "trust")
        options = f"-p {self._port} -c fsync=off -c listen_addresses=127.0.0.1 -k {self._folder}"
        log = str(self._folder / "log")
        self._run(self._program("pg_ctl"), "-D", str(data), "-l", log, "-w", "-o", options, "start")

    def stop(self) -> None:
        self._run(self._program("pg_ctl"), "-D", str(self._folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self._folder)

    def _run(self, *words: str) -> None:
        subprocess.run(
            [*self._as_user, *words], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd="/"
        )

    def _program(self, name: str) -> str:
        found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        assert found, f"{name} is not installed; `make test` installs it"
        return str(found[-1])
