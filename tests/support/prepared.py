"""Loaded by the process that companions are forked from: the page's files, put together once."""

from tock_web.assets import version

version()
