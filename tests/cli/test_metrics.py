"""Figures for Prometheus: only when asked for, and without anything of a hand."""

import urllib.error
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.service import Companion
from tock_app.service.metrics import metrics_text
from tock_companion.table.runtime.figures import Figures


def samples(text: bytes) -> dict[str, float]:
    found = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            labels = ",".join(sample.labels.values())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_delays_are_counted_in_classes_that_add_up() -> None:
    figures = Figures()
    for delay_ms in (40, 300, 9000):
        figures.happened("move_accepted", delay_ms)
    figures.happened("violation", 10)
    figures.observed("camera", 25)
    found = samples(metrics_text(figures, lambda: 3)())
    assert found["tock_decision_delay_seconds_bucket{0.05}"] == 1
    assert found["tock_decision_delay_seconds_bucket{0.35}"] == 2
    assert found["tock_decision_delay_seconds_bucket{+Inf}"] == 3
    assert found["tock_decision_delay_seconds_sum"] == pytest.approx(9.34)
    assert found["tock_events_total{violation}"] == 1
    assert found["tock_reading_seconds_total{camera}"] == pytest.approx(0.025)
    assert found["tock_streams"] == 3
    assert found["process_resident_memory_bytes"] > 1e6


@pytest.mark.whole
def test_the_running_companion_serves_them_only_when_asked_to(tmp_path: Path) -> None:
    with Companion(tmp_path / "quiet") as companion, pytest.raises(urllib.error.HTTPError, match="404"):
        urlopen(f"{companion.url}/metrics", timeout=10)
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "tock.toml").write_text("[metrics]\nenabled = true\n")
    with Companion(tmp_path / "open") as companion, urlopen(f"{companion.url}/metrics", timeout=10) as answer:
        assert samples(answer.read())["tock_streams"] == 0
