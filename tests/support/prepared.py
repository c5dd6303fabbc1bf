"""Loaded by the process that companions are forked from: the page's files, put together once."""

import gc

from tock_web.assets import version

version()
# Loaded last: the collector of a companion then searches its own objects alone, and copies none of these.
gc.collect()
gc.freeze()
