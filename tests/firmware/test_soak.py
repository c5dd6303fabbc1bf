"""A bad line makes the companion wait, never believe a wrong state."""

import pytest

from tests.support.benches import figures_of

pytestmark = pytest.mark.whole


def test_a_very_bad_line_never_ends_in_a_wrong_board_and_a_good_one_is_quick() -> None:
    figures = figures_of("link", "--events", "40", "--seconds", "8", "--rates", "0.01")
    assert figures["event_ms_median"] <= 12
    assert figures["event_ms_p99"] <= 25
    assert figures["scans_per_s"] >= 100
    damaged = figures["damage_0.01"]
    assert damaged["silently_wrong"] == 0
    assert damaged["bad_frames"] != 0
    assert damaged["stale"] < 0.5


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rate", ["0.0001", "0.001", "0.01"])
def test_ten_minutes_on_a_bad_line(rate: str) -> None:
    figures = figures_of("link", "--events", "1", "--seconds", "600", "--rates", rate)
    assert figures[f"damage_{rate}"]["silently_wrong"] == 0
