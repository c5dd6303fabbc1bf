"""A club's page on a real broker, to which any client may publish."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from random import Random

import requests
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tests.support import valid_files as valid
from tests.support.doors import empty_folder
from tests.support.mosquitto import Broker, free_port
from tests.support.waiting import until
from tock_bench.fuzz import mutations
from tock_bench.fuzz.campaign import Progress
from tock_bench.fuzz.site import PATIENCE_S, Watched

HALL = "club: messages of a broker"
AT_ONCE = 5
PAGE = "/api/v1/club"
TOPICS = (
    "tock/oak/state", "tock/oak/state", "tock/oak/state", "tock/elm/state", "tock/oak/status", "tock/x\u202ey/state",
    "tock//state", "tock/é/status", f"tock/{'x' * 60_000}/state", "tock/oak/state/more", "tock/a b/status", "tock/oak",
)  # fmt: skip
STATUSES = (b"online", b"offline", b"", b"\xff\xfe", b"ONLINE", b"x" * 300_000, b"\0")
LARGE_BYTES = (300_000, 5_000_000, 100_000_000)


class Hall:
    """Publishes slightly wrong messages, and checks after each that the page still hears; opens at the first step."""

    def __init__(self, stack: ExitStack, progress: Progress) -> None:
        self._stack, self._progress = stack, progress
        self._client: Client | None = None

    def step(self) -> list[str]:
        """Publish some messages; return new findings."""
        if self._client is None:
            self._client = self._opened()
        return [line for _ in range(AT_ONCE) for line in self._publish(self._client)]

    def _opened(self) -> Client:
        """Start a broker and `tock club`, and connect a client."""
        folder = self._stack.enter_context(empty_folder())
        broker, port, log = Broker(folder), free_port(), folder / "club.txt"
        broker.start()
        self._stack.callback(broker.stop)
        command = [
            sys.executable,
            "-m",
            "tock_app.cli.main",
            "club",
            f"127.0.0.1:{broker.port}",
            "--port",
            str(port),
        ]
        errors = self._stack.enter_context(log.open("ab"))
        process = self._stack.enter_context(
            subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, "TOCK_LOG": "ERROR"}
            )
        )
        self._stack.callback(process.terminate)
        self._url = f"http://127.0.0.1:{port}{PAGE}"
        until(
            lambda: requests.get(self._url, timeout=PATIENCE_S).json()["broker"],
            within_s=PATIENCE_S,
            despite=(requests.ConnectionError,),
        )
        self._page = Watched(process, log)
        client = Client(CallbackAPIVersion.VERSION2)
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
        self._stack.callback(client.loop_stop)
        self._stack.callback(client.disconnect)
        return client

    def _publish(self, client: Client) -> list[str]:
        """Publish one message, then one that the page must show."""
        number = self._progress.tally(HALL).tried
        rng = Random(f"{self._progress.seed}/{HALL}/{number}")
        topic, payload = _message(rng)
        # Some no client can publish.
        with suppress(ValueError, RuntimeError):
            sent = client.publish(topic, payload, qos=rng.randrange(3), retain=rng.random() < 0.5)
            sent.wait_for_publish(PATIENCE_S)
        faults = [] if self._hears(client, is_online=number % 2 == 0) else ["hang: deaf"]
        answer, fault = self._page.ask(lambda: requests.get(self._url, timeout=PATIENCE_S))
        if answer is not None and not fault:
            mutations.strict(answer.content)
        faults += [fault] if fault else []
        return self._progress.count(HALL, [*faults, *self._page.faults()], topic.encode() + b"\n" + payload)

    def _hears(self, client: Client, *, is_online: bool) -> bool:
        """Whether the page shows that a table comes or goes."""
        status = "online" if is_online else "offline"
        client.publish("tock/sentinel/status", status, qos=1, retain=True).wait_for_publish(PATIENCE_S)
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s and self._page.process.poll() is None:
            answer, _ = self._page.ask(lambda: requests.get(self._url, timeout=PATIENCE_S))
            tables = answer.json()["tables"] if answer is not None and answer.ok else ()
            if any(table["name"] == "sentinel" and table["online"] is is_online for table in tables):
                return True
            time.sleep(0.05)
        return False


def _message(rng: Random) -> tuple[str, bytes]:
    """A topic and its payload."""
    topic = rng.choice(TOPICS)
    if topic.endswith("status"):
        return topic, rng.choice(STATUSES)
    if rng.random() < 0.05:
        return topic, b" " * rng.choice(LARGE_BYTES)
    return topic, mutations.json_text(rng, valid.club_state())
