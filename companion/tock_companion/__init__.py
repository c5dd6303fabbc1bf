"""The companion of a real Tock board: everything that is neither pixels nor HTTP."""

__version__ = "0.3.0"
"""The only place that says which version this is; `make release` says when it changes."""
