"""Training with several processes that share every batch; the same number of them gives the same weights."""

import argparse
import logging
from pathlib import Path
from typing import Any

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


def resumed(state: Path, **parts: Any) -> int:
    """Give networks and optimizer what was kept of them, where it was; the steps that were done."""
    if not state.exists():
        return 0
    kept = torch.load(state)
    for name, part in parts.items():
        part.load_state_dict(kept[name])
    return int(kept["step"])


def keep(state: Path, step: int, **parts: Any) -> None:
    """Keep networks and optimizer, so that the same command goes on after this step."""
    begun = state.with_suffix(".new")
    torch.save({name: part.state_dict() for name, part in parts.items()} | {"step": step}, begun)
    begun.replace(state)


def descend(net: torch.nn.Module, optimizer: torch.optim.Optimizer, cost: torch.Tensor, workers: int) -> None:
    """Do one step of the optimizer, the same one in every process."""
    optimizer.zero_grad()
    cost.backward()
    average([weight.grad for weight in net.parameters() if weight.grad is not None], workers)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()


def average(gradients: list[torch.Tensor], workers: int) -> None:
    """Make gradients the mean over all processes."""
    flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
    distributed.all_reduce(flat)
    start = 0
    for gradient in gradients:
        gradient.copy_(flat[start : start + gradient.numel()].reshape(gradient.shape) / workers)
        start += gradient.numel()
