"""A network in training: its rate follows a plan over the whole time, and its answer is the mean of the last weights.

Needs PyTorch.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

WARM_SHARE = 0.05
"""Share of the time in which the rate rises."""
MAX_NORM = 5.0
"""Longest step that a batch may ask for."""


class Learner:
    """Trains one network by Adam."""

    def __init__(self, net: nn.Module, rate: float, decay: float, averaged_steps: int) -> None:
        self.net, self.rate = net.train(), rate
        self.optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=decay)
        mean = get_ema_multi_avg_fn(1 - 1 / averaged_steps)
        self._kept = AveragedModel(net, multi_avg_fn=mean, use_buffers=True)
        self._losses: list[torch.Tensor] = []

    @property
    def averaged(self) -> nn.Module:
        """The network with the mean of its last weights."""
        kept: nn.Module = self._kept.module
        return kept

    def step(self, loss_of: Callable[..., torch.Tensor], batch: Sequence[Any], done: float) -> None:
        """Learn from one batch by the loss of a network on it; `done` is the share of the time that has passed."""
        for group in self.optimizer.param_groups:
            group["lr"] = (
                self.rate * min(done / WARM_SHARE, 1.0) * 0.5 * (1 + float(np.cos(np.pi * min(done, 1.0))))
            )
        loss = loss_of(self.net, *batch)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), MAX_NORM)
        self.optimizer.step()
        self._kept.update_parameters(self.net)
        self._losses.append(loss.detach())

    def mean_loss(self) -> float:
        """The mean loss since this was asked last."""
        losses, self._losses = self._losses, []
        return float(torch.stack(losses).mean()) if losses else float("nan")
