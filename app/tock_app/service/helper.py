"""The superuser's helper: one request as a line of JSON on standard input, one answer, then perhaps the change itself.

systemd starts it for each connection to a socket that only the companion's user may open. It knows the verbs below
and nothing else. The units start `python -m tock_app.service.helper` with `at-start` or `update`.
"""

import contextlib
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname
from typing import IO

from tock_companion.errors import BadInputError, TockError, quoted
from tock_companion.health.system import home_ip
from tock_companion.machine.network import OWN_ADDRESS, Network
from tock_companion.machine.network_manager import NetworkManager
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.updates import Updates
from tock_companion.machine.wifi import Wifi
from tock_companion.strict_json import decode

log = logging.getLogger(__name__)
MAX_REQUEST_BYTES = 4000
ISSUE = Path("/run/issue.d/tock.issue")
"""Shown by agetty(8) without a restart of the machine."""

Values = Mapping[str, str]
Change = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Verb:
    """One helper command: parameters, handler, and a follow-up after the answer."""

    values: tuple[str, ...]
    answer: Callable[[Values], tuple[dict[str, object], Change | None]]


def verbs(wifi: Wifi, updates: Updates) -> Mapping[str, Verb]:
    """The companion's requests."""

    def now(
        answer: Callable[[Values], dict[str, object]],
    ) -> Callable[[Values], tuple[dict[str, object], None]]:
        return lambda values: (answer(values), None)

    def later(prepare: Callable[[Values], Change]) -> Callable[[Values], tuple[dict[str, object], Change]]:
        return lambda values: ({}, prepare(values))

    def keep(values: Values) -> tuple[dict[str, object], Change]:
        return {"pending": wifi.is_tried()}, lambda: wifi.keep(values["by"])

    return {
        "wifi-status": Verb((), now(lambda _: wifi.status())),
        "wifi-own": Verb(("name", "password"), later(lambda got: wifi.open_own(_network(got)))),
        "wifi-house": Verb(("id",), later(lambda got: wifi.join_house(got["id"]))),
        "wifi-join": Verb(("name", "password"), later(lambda got: wifi.join_new(_network(got)))),
        "wifi-keep": Verb(("by",), keep),
        "update-status": Verb((), now(lambda _: updates.status())),
        "update-sticks": Verb((), now(lambda _: updates.look_on_sticks())),
        "update-take": Verb(("name",), now(lambda got: updates.take_from_stick(got["name"]))),
        "update-check": Verb((), now(lambda _: updates.take_upload())),
        "update-install": Verb(("sha256",), now(lambda got: updates.begin(got["sha256"]))),
        "update-forget": Verb((), now(lambda _: updates.forget())),
    }


def answer_line(line: bytes, known: Mapping[str, Verb]) -> tuple[dict[str, object], Change | None]:
    """The answer to a request, and the work to do once it is out."""
    try:
        request = decode(line)
        if not isinstance(request, dict) or not all(isinstance(value, str) for value in request.values()):
            raise BadInputError("a request is an object of texts")
        verb = known.get(request.pop("verb", ""))
        if verb is None or set(request) != set(verb.values):
            raise BadInputError(f"there is no request {quoted(line[:100])}")
        answer, change = verb.answer(request)
    except RefusedError as error:
        return {"ok": False, "code": error.code, "values": error.values}, None
    except (TockError, ValueError) as error:
        return {"ok": False, "code": "machine/fault", "values": {"reason": str(error)}}, None
    return {"ok": True, **answer}, change


def serve(
    source: IO[bytes],
    target: IO[bytes],
    wifi: Wifi,
    updates: Updates,
    show: Callable[[Mapping[str, object]], None],
) -> None:
    """Answer one request, carry it out, and `show` the new state."""
    line = source.readline(MAX_REQUEST_BYTES)
    answer, change = answer_line(line, verbs(wifi, updates))
    target.write(json.dumps(answer).encode() + b"\n")
    target.flush()
    target.close()
    if change is not None:
        try:
            change()
        finally:
            show(wifi.status())


def main(arguments: list[str]) -> int:
    """Serve the connection on standard input, or carry out a unit's argument."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(message)s")
    wifi, updates = Wifi(NetworkManager()), Updates()
    try:
        match arguments:
            case []:
                serve(sys.stdin.buffer, sys.stdout.buffer, wifi, updates, show_on_screen)
            case ["at-start"]:
                updates.resume_at_start()
                wifi.at_start()
                show_on_screen(wifi.status())
            case ["update"]:
                updates.install()
            case ["update-ended"]:
                updates.resume()
            case _:
                raise BadInputError("use: at-start, update, update-ended, or nothing for a connection")
    except TockError as error:
        log.error("%s", error)
        return 1
    return 0


def show_on_screen(status: Mapping[str, object], file: Path = ISSUE) -> None:
    """Show the page's address above the console's login prompt, where possible."""
    # The page's libraries are large, and few requests change the screen.
    from tock_web.address import page_url  # noqa: PLC0415
    from tock_web.qr import qr_terminal  # noqa: PLC0415

    own = status.get("own")
    if status.get("mode") == "own" and isinstance(own, Mapping):
        code, url = str(own["code"]), f"http://{OWN_ADDRESS}"
        lines = [f"Wi-Fi: {own['name']}   {own['password']}", f"Tock: {url}"]
    else:
        here = home_ip()
        # Without a network the name is right at least once there is one.
        url = page_url(80, f"{gethostname()}.local" if here.startswith("127.") else here)
        code, lines = url, [f"Tock: {url}"]
    # agetty treats a backslash as an escape.
    text = "\n".join(("", qr_terminal(code).rstrip("\n"), *lines, "")).replace("\\", "\\\\")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8")
        subprocess.run(("agetty", "--reload"), check=False, capture_output=True)


def _network(values: Values) -> Network:
    try:
        return Network(values["name"], values["password"])
    except BadInputError:
        raise RefusedError("wifi/network") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
