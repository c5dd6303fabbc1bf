"""Background threads: one life for all of them, from `start` to `stop`, and one policy for their faults.

A fault ends no thread. It is logged once, told by `troubles` for as long as it lasts, and the work is begun again
after a pause that grows while faults follow each other.
"""

from tock_companion.background.faults import Backoff, Trouble
from tock_companion.background.follower import Follower, Stream
from tock_companion.background.news import News
from tock_companion.background.thread import Background, run_once, running, troubles

__all__ = [
    "Backoff",
    "Background",
    "Follower",
    "News",
    "Stream",
    "Trouble",
    "run_once",
    "running",
    "troubles",
]
