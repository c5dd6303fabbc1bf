"""Which camera of this machine a number or a path names: numbers change with each start and each replug."""

from pathlib import Path

LASTING = "v4l/by-id/*-video-index0"
"""Links that udev names after maker and serial number."""
HIGHEST = 9
"""Decoders of a Raspberry Pi have higher numbers."""


def node_of(device: int | str, dev: Path = Path("/dev")) -> Path:
    """The device to open: 0 is the first USB camera, whichever number it has now."""
    if not isinstance(device, int):
        return Path(device)
    node = dev / f"video{device}"
    if device == 0 and not node.exists():
        return next(iter(_nodes(dev)), node)
    return node


def cameras_in(dev: Path) -> list[Path]:
    """All cameras, by names that stay where they have one."""
    lasting = {link.resolve(): link for link in sorted(dev.glob(LASTING))}
    return [lasting.get(node.resolve(), node) for node in _nodes(dev)]


def _nodes(dev: Path) -> list[Path]:
    """The devices of cameras, lowest number first; of those that udev names, others only carry descriptions."""
    named = {link.resolve() for link in dev.glob(LASTING)}
    numbered = {node for number in range(HIGHEST + 1) if (node := dev / f"video{number}").exists()}
    return sorted(named or numbered, key=lambda node: (len(node.name), node.name))
