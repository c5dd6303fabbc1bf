"""The table of threads in the documents names all threads of a companion that has everything on, and they all end."""

import re
import threading
from pathlib import Path

import pytest

from tests.support.mosquitto import Broker, free_port
from tests.support.service import START_PATIENCE_S
from tests.support.waiting import PATIENCE_S, until
from tock_app.config.load import load_config
from tock_app.service.companion import serve
from tock_app.service.shutdown import Shutdown
from tock_app.service.supervision import Supervision
from tock_companion.background import running
from tock_companion.storage import Store

ROOT = Path(__file__).parents[2]
SETTINGS = """\
[webhook]
url = "http://192.0.2.1/"
secret = "secret"

[mqtt]
host = "127.0.0.1"
port = {port}
table = "oak"

[panel]
turn = 17
factory = "mock"

[panel.lights]
P0 = [5, 6, 13]
"""
BEGUN = re.compile(
    r"(?:Background|Server|Follower(?:\[\w+\])?|run_once)\(\s*\"([\w-]+)\"|thread_name_prefix=\"([\w-]+)\""
)
"""A line of the sources that begins a thread by its name."""
OTHER_SOURCES = {"tock-camera", "tock-reed", "tock-magnets"}
HERE = {
    *(
        "table",
        "disk",
        "tock-simulated",
        "page-server",
        "camera-server",
        "certificate",
        "upkeep",
        "computers",
    ),
    *(
        "control",
        "mqtt-publisher",
        "webhook",
        "club-member",
        "tock-panel",
        "tock-voice",
        "tock-voice-listener",
    ),
}


def table_of_threads() -> dict[str, str]:
    """The documents' line on each thread."""
    text = (ROOT / "docs/threads.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return {name: does.rstrip(" |") for names, does in rows for name in re.findall("`(.+?)`", names)}


def plain(name: str) -> str:
    """A thread's name without its number or the address of its connection."""
    target = re.fullmatch(r"Thread-\d+ \((\w+)\)", name)
    if target:
        return target[1]
    return re.sub(r"[-_]\d+$", "", re.sub(r"(?<=paho-mqtt-client)-.*", "", name))


def begun_in_the_sources() -> set[str]:
    """Names of all threads that are begun anywhere, also those that come and go."""
    texts = [
        path.read_text(encoding="utf-8")
        for folder in ("app", "companion", "rules", "vision", "web")
        for path in (ROOT / folder).glob("tock_*/**/*.py")
    ]
    return {first or second for text in texts for first, second in BEGUN.findall(text)}


def test_no_thread_is_begun_without_a_line_in_the_documents() -> None:
    begun = begun_in_the_sources()
    assert {"upkeep", "control-call", "photos", "club-desk", "camera-server"} <= begun
    assert begun <= table_of_threads().keys()


def test_nobody_begins_a_thread_of_another_kind() -> None:
    bare = [
        str(path.relative_to(ROOT))
        for folder in ("app", "companion", "rules", "vision", "web")
        for path in (ROOT / folder).glob("tock_*/**/*.py")
        if re.search(r"\bThread\(", path.read_text(encoding="utf-8")) and path.parent.name != "background"
    ]
    assert bare == []


@pytest.mark.whole
def test_a_companion_with_everything_on_has_these_threads_and_ends_them_in_time(
    tmp_path: Path, broker: Broker
) -> None:
    (tmp_path / "tock.toml").write_text(SETTINGS.format(port=broker.port))
    store = Store(tmp_path)
    store.choices.keep("voice", "fr")
    store.close()
    ports = {"TOCK_PORT": str(free_port()), "TOCK_TLS_PORT": str(free_port())}
    config = load_config(tmp_path / "tock.toml", {"TOCK_DATA": str(tmp_path), **ports})
    before, supervision, up = set(threading.enumerate()), Supervision({}), threading.Event()
    shutdown = Shutdown(supervision)
    main = threading.Thread(target=serve, args=(config, None, shutdown, supervision, lambda _url: up.set()))
    main.start()
    known = table_of_threads()

    def live() -> set[str]:
        return {plain(thread.name) for thread in set(threading.enumerate()) - before - {main}}

    try:
        assert up.wait(START_PATIENCE_S)
        until(lambda: live() >= HERE)
        assert live() <= known.keys()
        assert known.keys() <= live() | begun_in_the_sources() | OTHER_SOURCES
        for background in running():
            assert known[background.name] == background.does
    finally:
        # A companion left running would keep the whole run of tests from ending.
        shutdown.stop()
        main.join(PATIENCE_S)
    # Each stop waits no longer than its limit, and a source may be in the middle of a frame.
    assert {plain(thread.name) for thread in set(threading.enumerate()) - before} <= {"tock-simulated"}
    until(lambda: set(threading.enumerate()) <= before)
