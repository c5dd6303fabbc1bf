"""Parts that run beside the table."""

import pytest

from tock_app.service.started import started
from tock_companion.background import Background, running
from tock_companion.errors import TockError


class Refusing:
    """A part whose port is taken."""

    def start(self) -> None:
        raise TockError("the port is taken")

    def stop(self) -> None:
        pytest.fail("it never started")


def test_parts_that_started_stop_where_the_next_one_does_not_start() -> None:
    first = Background("first-part", "waits", lambda: 60.0)
    with pytest.raises(TockError, match="port"), started([first, Refusing()]):
        pytest.fail("the table must not open")
    assert "first-part" not in [one.name for one in running()]
