"""A real Mosquitto on a free port, started and stopped by tests."""

import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.support.service import free_port

PATIENCE_S = 10.0


class Broker:
    """Mosquitto with nothing kept on disk, so that a restart forgets everything."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/sbin:/bin")
        assert program, "mosquitto is not installed; `make test` installs it"
        self._process = subprocess.Popen([program, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > end_s:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
