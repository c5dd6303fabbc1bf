"""Sets processes up for a training: one core each, seeded, with its progress in a log. Needs PyTorch."""

import logging
from pathlib import Path

import cv2
import torch


def set_up(out: Path, seed: int = 7) -> None:
    """Make the same training give the same network on the same machine, and make the folder that it goes to."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    use_one_core()
    torch.manual_seed(seed)
    out.mkdir(parents=True, exist_ok=True)


def use_one_core() -> None:
    """Keep this process to one core, and from slow arithmetic with numbers that are nearly nothing."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
