"""The companion of a real Tock board: everything that is neither pixels nor HTTP."""

from tock_rules import __version__

__all__ = ["__version__"]
