"""Begins trainings: on one core, seeded, with their progress written down. Needs PyTorch."""

import logging
from pathlib import Path

import cv2
import torch


def begin(out: Path) -> None:
    """Make the same training give the same network on the same machine, and the folder that it goes to."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    on_one_core()
    torch.manual_seed(7)
    out.mkdir(parents=True, exist_ok=True)


def on_one_core() -> None:
    """Let a process use one core, and no time for numbers that are nearly nothing."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)
