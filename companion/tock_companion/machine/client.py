"""The companion's line to the superuser's helper."""

import json
import socket
from pathlib import Path

from tock_companion.errors import TockError
from tock_companion.machine.refusals import RefusedError

SOCKET = Path("/run/tock-companion-helper.sock")
PATIENCE_S = 30.0
MAX_ANSWER_BYTES = 100_000
MAX_PACKAGE_BYTES = 250_000_000
"""Of a package that the helper takes; stands here because the page, which asks too, checks no signatures."""


class Helper:
    """Sends requests that need the superuser; without a socket this machine has no helper."""

    def __init__(self, path: Path = SOCKET) -> None:
        self._path = path

    @property
    def is_here(self) -> bool:
        return self._path.is_socket()

    def ask(self, verb: str, **values: str) -> dict[str, object]:
        """The answer to one request; raises RefusedError for a refusal, TockError when the helper does not answer."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.settimeout(PATIENCE_S)
                line.connect(str(self._path))
                line.sendall(json.dumps({"verb": verb, **values}).encode() + b"\n")
                with line.makefile("rb") as reading:
                    answer = json.loads(reading.readline(MAX_ANSWER_BYTES))
        except (OSError, ValueError) as error:
            raise TockError(f"the machine's helper does not answer: {error}") from None
        if answer.pop("ok", False) is not True:
            raise RefusedError(str(answer.get("code")), **answer.get("values", {}))
        return dict(answer)
