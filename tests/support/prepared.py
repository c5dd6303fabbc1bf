"""Loaded by the process that companions are forked from: the page's files, put together once."""

import gc

from tock_web.assets import version

version()
# The last that is loaded: a companion that collects looks through what it makes itself, and copies nothing of this.
gc.collect()
gc.freeze()
