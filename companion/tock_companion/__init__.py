"""The companion of a real Tock board: everything that is neither pixels nor HTTP."""

__version__ = "0.2.0"
