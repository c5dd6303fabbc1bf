"""A bad line makes the companion wait, never believe a wrong state."""

import pytest

from tock_bench.figures.link import event_figures, soak

pytestmark = pytest.mark.whole


def test_a_very_bad_line_never_ends_in_a_wrong_board() -> None:
    figures = soak(0.01, 8)
    assert figures["silently_wrong"] == 0
    assert figures["bad_frames"] != 0
    assert float(str(figures["stale"])) < 0.5


def test_a_switch_is_reported_in_time_on_the_largest_board() -> None:
    figures = event_figures(40)
    assert float(str(figures["event_ms_median"])) <= 12
    assert float(str(figures["event_ms_p99"])) <= 25
    assert int(str(figures["scans_per_s"])) >= 100


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rate", [0.0001, 0.001, 0.01])
def test_ten_minutes_on_a_bad_line(rate: float) -> None:
    assert soak(rate, 600)["silently_wrong"] == 0
