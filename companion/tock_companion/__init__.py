"""The companion of a real Tock board: everything that is neither pixels nor HTTP."""

__version__ = "0.4.0.dev0"
"""The only place that says which version this is; `make release` says when it changes."""
