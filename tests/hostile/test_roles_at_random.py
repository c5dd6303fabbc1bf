"""Four people ask for what they like: whoever is host and here stays host, and nobody installs without the PIN."""

from pathlib import Path
from random import Random

import pytest

from tests.support.roles_play import Play


@pytest.mark.parametrize("seed", range(3))
def test_whoever_is_host_and_here_stays_host_whatever_four_people_ask(tmp_path: Path, seed: int) -> None:
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
