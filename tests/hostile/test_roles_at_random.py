"""Four people ask for what they like: whoever is host and here stays host, and nobody installs without the PIN."""

from pathlib import Path
from random import Random

import pytest

from tests.support.roles_play import Play


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.parametrize("seed", range(3))
def test_a_present_host_stays_host_under_random_requests_of_four_people(tmp_path: Path, seed: int) -> None:
    granted = 0
    for number in range(10):
        play = Play(tmp_path / str(number), Random(f"{seed}-{number}"))
        try:
            play.run()
        finally:
            play.stop()
        assert play.faults == []
        granted += sum(play.asked.values())
    assert granted > 60
