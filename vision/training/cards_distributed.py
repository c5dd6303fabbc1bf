"""Training with several processes that share every batch; the same number of them gives the same weights."""

import argparse
import logging
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import distributed

WARM_UP_STEPS = 50


def meeting_of(out: Path) -> str:
    """The file by which the processes find each other."""
    file = out.resolve().with_suffix(".meeting")
    file.unlink(missing_ok=True)
    return f"file://{file}"


def join(rank: int, options: argparse.Namespace) -> None:
    """Begin the work of one process: one thread, seeded."""
    logging.basicConfig(level=logging.INFO if rank == 0 else logging.WARNING, format="%(message)s")
    distributed.init_process_group("gloo", options.meeting, rank=rank, world_size=options.workers)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)


def set_rate(optimizer: torch.optim.Optimizer, rate: float, step: int, steps: int) -> None:
    """Set the learning rate of a step: it rises at first, then falls to nothing."""
    fall = 0.5 + 0.5 * float(np.cos(np.pi * step / steps))
    for group in optimizer.param_groups:
        group["lr"] = rate * min(1, step / WARM_UP_STEPS) * fall + 1e-5


def average(gradients: list[torch.Tensor], workers: int) -> None:
    """Make gradients the mean over all processes."""
    flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
    distributed.all_reduce(flat)
    start = 0
    for gradient in gradients:
        gradient.copy_(flat[start : start + gradient.numel()].reshape(gradient.shape) / workers)
        start += gradient.numel()
