"""A club's page on a real broker, where anybody may publish anything."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import requests
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tests.support.broker import Broker
from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tock_bench.fuzz import mutations, valid
from tock_bench.fuzz.campaign import CASES, Progress, empty_folder, keep_case
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
    """Publishes what is slightly wrong, and looks after each message whether the page still hears."""

    def __init__(
        self, page: Watched, url: str, broker: Broker, progress: Progress, keep: Path | None
    ) -> None:
        self.page, self.url, self.progress, self._keep = page, url, progress, keep
        self._asked = 0
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()

    def publish(self, number: int) -> list[str]:
        """Publish one message, then one that the page must show; return what was found first."""
        rng = Random(f"{self.progress.seed}/{HALL}/{number}")
        topic, payload = message(rng)
        try:
            sent = self._client.publish(topic, payload, qos=rng.randrange(3), retain=rng.random() < 0.5)
            sent.wait_for_publish(PATIENCE_S)
        except (ValueError, RuntimeError):
            pass  # No client can publish it.
        answered = self._hears()
        answer, fault = self.page.ask(lambda: requests.get(f"{self.url}{PAGE}", timeout=PATIENCE_S))
        if answer is not None and not fault:
            # As strict as a browser.
            mutations.strict(answer.content)
        return self._count(
            topic, payload, [*([] if answered else ["hang: deaf"]), *([fault] if fault else [])]
        )

    def _hears(self) -> bool:
        """Whether a table that comes is shown, and one that goes."""
        self._asked += 1
        status = "online" if self._asked % 2 else "offline"
        self._client.publish("tock/sentinel/status", status, qos=1, retain=True).wait_for_publish(PATIENCE_S)
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s and self.page.process.poll() is None:
            answer, _ = self.page.ask(lambda: requests.get(f"{self.url}{PAGE}", timeout=PATIENCE_S))
            tables = answer.json()["tables"] if answer is not None and answer.ok else ()
            if any(
                table["name"] == "sentinel" and table["online"] is (status == "online") for table in tables
            ):
                return True
            time.sleep(0.05)
        return False

    def _count(self, topic: str, payload: bytes, faults: list[str]) -> list[str]:
        tally, new = self.progress.tally(HALL), []
        tally.tried += 1
        for found in [*faults, *self.page.faults()]:
            tally.faults[found.partition(":")[0]] += 1
            if found not in tally.known:
                tally.known.append(found)
                new.append(f"{HALL}: {found}: {topic[:80]!a} {payload[:300]!r}")
                if self._keep is not None:
                    keep_case(self._keep, HALL, found.partition(":")[0], topic.encode() + b"\n" + payload)
        return new

    def close(self) -> None:
        """Leave the broker."""
        self._client.disconnect()
        self._client.loop_stop()


def message(rng: Random) -> tuple[str, bytes]:
    """A topic and what to publish there."""
    topic = rng.choice(TOPICS)
    if topic.endswith("status"):
        return topic, rng.choice(STATUSES)
    if rng.random() < 0.05:
        return topic, b" " * rng.choice(LARGE_BYTES)
    return topic, mutations.json_text(rng, valid.club_state())


@contextmanager
def open_hall(folder: Path, progress: Progress, keep: Path | None = CASES) -> Iterator[Hall]:
    """A broker, and `tock club` that listens to it."""
    broker, port, log = Broker(folder), free_port(), folder / "club.txt"
    broker.start()
    environment = {**os.environ, "TOCK_LOG": "ERROR"}
    command = [
        sys.executable, "-m", "tock_app.cli.main", "club", f"127.0.0.1:{broker.port}", "--port", str(port)
    ]  # fmt: skip
    try:
        with (
            log.open("ab") as errors,
            subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=environment) as process,
        ):
            url = f"http://127.0.0.1:{port}"
            until(
                lambda: requests.get(f"{url}{PAGE}", timeout=PATIENCE_S).json()["broker"],
                within_s=PATIENCE_S,
                despite=(requests.ConnectionError,),
            )
            hall = Hall(Watched(process, log), url, broker, progress, keep)
            try:
                yield hall
            finally:
                hall.close()
                process.terminate()
    finally:
        broker.stop()


class HallKeeper:
    """Opens the hall when it is first wanted, and counts the time that is spent there."""

    def __init__(self, progress: Progress, keep: Path | None = CASES) -> None:
        self._progress, self._keep = progress, keep
        self._open = ExitStack()
        self._hall: Hall | None = None

    def step(self) -> list[str]:
        """Publish some messages; return what was found first."""
        began_s, tally = time.monotonic(), self._progress.tally(HALL)
        if self._hall is None:
            folder = self._open.enter_context(empty_folder())
            self._hall = self._open.enter_context(open_hall(folder, self._progress, self._keep))
        found = [line for _ in range(AT_ONCE) for line in self._hall.publish(tally.tried)]
        tally.spent_s = round(tally.spent_s + time.monotonic() - began_s, 3)
        return found

    def close(self) -> None:
        """Close it."""
        self._hall = None
        self._open.close()
