"""Loaded by the process that companions are forked from: the page's files, put together once."""

import gc
import math

from tock_companion.table.runtime import troubles
from tock_web.assets import version

# As in the tests' own process, where tests/conftest.py says why.
troubles.SLOW_S = math.inf
version()
# Loaded last: the collector of a companion then searches its own objects alone, and copies none of these.
gc.collect()
gc.freeze()
