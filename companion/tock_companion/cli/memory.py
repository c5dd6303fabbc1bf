"""Keeps the memory of a process that runs for weeks from growing without anything being leaked.

glibc gives every thread a heap of its own, and lets the size from which it maps memory separately grow with what is
freed. Frames then lie between small things that stay, and the heaps can never shrink (mallopt(3)).
"""

import ctypes

ARENAS = 2
MAPPED_FROM_BYTES = 256 * 1024
"""Frames and the arrays made of them are larger, everything that stays is smaller."""
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8


def give_back() -> None:
    """Return freed memory to the system, where the C library knows how (malloc_trim(3)); takes some milliseconds."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def keep_heaps_small() -> bool:
    """Tell the C library how to use memory; False where it is not glibc. To be called before threads start."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    return bool(mallopt(_M_ARENA_MAX, ARENAS) and mallopt(_M_MMAP_THRESHOLD, MAPPED_FROM_BYTES))
