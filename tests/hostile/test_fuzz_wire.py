"""`make fuzz` in small, over the wire: a companion and a club's page that really run get what is slightly wrong."""

from contextlib import closing
from pathlib import Path

import pytest

from tock_bench.fuzz.campaign import Progress
from tock_bench.fuzz.hall import HALL, HallKeeper
from tock_bench.fuzz.uploads import UPLOAD_OF, UPLOADS
from tock_bench.fuzz.wire import BYTES, SEQUENCES, Sender

pytestmark = pytest.mark.whole

SEED = 7
STEPS = 1
"""Of a few inputs of each kind."""


def test_a_running_companion_answers_whatever_it_is_sent_and_starts_again(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "progress.json", SEED)
    kinds = (SEQUENCES, BYTES, *UPLOAD_OF)
    with closing(Sender(tmp_path, progress, keep=None)) as sender:
        found = [line for _ in range(STEPS) for kind in kinds for line in sender.step(kind)]
        assert not found
        # On the games, seats and choices that all this has left.
        sender.restart()
        assert not sender.step(BYTES)
    assert all(progress.tally(kind).tried for kind in kinds)
    # Most is refused; what is not has changed the game that the rest was sent to.
    assert any(tally.refused < tally.tried for tally in progress.tallies.values())
    named = progress.tally(next(upload.name for upload in UPLOADS if upload.seat))
    assert named.refused < named.tried / 2


def test_the_page_of_a_club_hears_on_whatever_anybody_publishes(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "progress.json", SEED)
    with closing(HallKeeper(progress, keep=None)) as hall:
        assert not [line for _ in range(STEPS) for line in hall.step()]
    assert progress.tally(HALL).tried
