"""The bench of twenty attackers, cut down to a few seconds: it plays, attacks and tells."""

from typing import Any

import pytest

from tock_bench.figures import hostile, hostile_clients


@pytest.mark.slow
def test_two_people_play_on_while_twenty_clients_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "MINUTE_S", 5.0)
    monkeypatch.setattr(hostile, "CALM_S", 1.0)
    progress: list[str] = []
    figures: dict[str, Any] = dict(hostile.run(progress.append).figures)
    (evening,) = figures["evenings"]
    assert "ended_early" not in evening
    requests = evening["requests"]
    assert 0 < requests["ok"] == requests["asked"] - requests["throttled"]
    (minute,) = evening["minutes"]
    assert minute["n"] > 0
    assert minute["threads"] >= evening["held"]["before"]["threads"] > 0
    assert progress[-1].splitlines()[2].startswith("| 1 | ")
    assert evening["streams_lost"] == 0
    assert evening["longest_silence_s"] < hostile.SILENCE_S
    attackers = evening["attackers"]
    begun = {attack.__name__: clients * each for attack, clients, each in hostile_clients.CLIENTS}
    assert all(attackers[f"{name} begun"] >= count for name, count in begun.items())


def test_there_are_twenty_attackers() -> None:
    assert sum(clients for _, clients, _ in hostile_clients.CLIENTS) == 20
