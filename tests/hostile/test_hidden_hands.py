"""A few games of the leak study: no route, stream, refusal, log, topic or file tells others' cards."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.support.leaks import PHOTO
from tests.support.mosquitto import Broker
from tests.support.watched_game import WatchedGame, crawl
from tock_companion.mqtt.topics import messages
from tock_companion.views.roles import watch_view

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    broker = Broker(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.stop()


def test_no_card_reaches_anybody_but_its_owner() -> None:
    found = crawl(2, first_seed=1000)
    assert found.leaks == []
    assert set(found.answers) == {"player", "host", "guest", "taker", "questions", "photos"}
    assert sum(found.changes.values()) == 2
    assert set(found.elsewhere) == {
        "lines of the log", "messages on the broker", "public events", "files of a recording",
        "texts and files of commands",
    }  # fmt: skip
    assert found.pictures["host"]
    assert found.pictures["others"] == 0
    assert found.pictures["photos in recordings"]


def seen_by_watchers(evening: WatchedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spectators are shown the hand of P0."""

    def leaky(public: Any) -> Any:
        return {**watch_view(public), "oops": hand(evening)}

    monkeypatch.setattr("tock_companion.table.runtime.publisher.watch_view", leaky)


def seen_on_the_broker(evening: WatchedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker receives the hand of P0."""

    def leaky(name: str, view: Any) -> Any:
        return {**messages(name, view), f"tock/{name}/oops": str(hand(evening))}

    monkeypatch.setattr("tock_companion.mqtt.publisher.messages", leaky)


def seen_in_the_log(evening: WatchedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of the log says the hand of P0."""
    right = evening.table.keep_photo

    def leaky(*parts: Any) -> None:
        logging.getLogger("tock").debug("a photo of %s", hand(evening))
        right(*parts)

    monkeypatch.setattr(evening.table, "keep_photo", leaky)


def with_route(evening: WatchedGame, answer: Callable[[], Any]) -> None:
    """Give the app one address more."""
    app: Flask = evening.app
    app.add_url_rule("/api/v1/oops", view_func=answer)


def evidence_for_all(evening: WatchedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A route gives pictures kept as evidence to everybody."""

    def answer() -> Any:
        evidence = evening.table.evidence
        log = evening.table.archive.log(1)
        moves = [number for number, line in enumerate(log.splitlines(), 1) if "move_accepted" in line]
        return evidence.png(moves[0], "card") or b"" if moves else b""

    with_route(evening, answer)


def photos_for_all(evening: WatchedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A route gives the newest photo of a hand to everybody."""

    def answer() -> Any:
        photos = sorted((evening.recording / "photos").glob("*"))
        return photos[-1].read_bytes() if photos else b""

    with_route(evening, answer)


def hand(evening: WatchedGame) -> list[str]:
    return sorted(evening.phones["Anna"].own)


@pytest.mark.parametrize(
    ("plant", "seed", "where"),
    [
        pytest.param(seen_by_watchers, 1001, "guest /api/v1/view?role=watch: ", marks=pytest.mark.slow),
        pytest.param(seen_on_the_broker, 1002, "MQTT: ", marks=pytest.mark.slow),
        pytest.param(seen_in_the_log, 1003, "the log: ", marks=pytest.mark.slow),
        pytest.param(
            evidence_for_all, 1004, "guest /api/v1/oops: a picture kept as evidence", marks=pytest.mark.slow
        ),
        (photos_for_all, 1005, "guest /api/v1/oops: a photo of a hand"),
    ],
)
def test_a_leak_that_is_planted_is_found(
    plant: Callable[[WatchedGame, pytest.MonkeyPatch], None],
    seed: int,
    where: str,
    broker: Broker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = WatchedGame(tmp_path / "evening", seed, broker.port)
    plant(evening, monkeypatch)
    found = evening.play()
    assert "evidence" not in where or found.pictures["host"], "no move was made"
    assert any(leak.startswith(where) for leak in found.leaks), found.leaks[:5]


def test_the_crawl_would_notice_a_card(tmp_path: Path, broker: Broker) -> None:
    evening = WatchedGame(tmp_path, 1, broker.port)
    evening.secret = {"KS", "10H"}
    for text, leaks in (
        ('{"card":"KS"}', 1),
        ("Anna holds 10H and KS.", 2),
        ("AKS 10HH", 0),
    ):
        evening.found.leaks.clear()
        evening.search("here", text, set())
        assert len(evening.found.leaks) == leaks, text
    evening.found.leaks.clear()
    evening.search_bytes("here", PHOTO + b"Anna", set())
    assert evening.found.leaks == ["here: a photo of a hand"]
    evening.display.everything()
    evening.table.stop()
