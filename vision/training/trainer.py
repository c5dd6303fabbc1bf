"""One network in training: AdamW by a learning rate schedule, clipped gradients, and a moving average of the weights.

The trainings of the board reader, of discovery and of cards all use it. Needs PyTorch.
"""

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from vision.training.learning_rate import LearningRate

Loss = Callable[..., torch.Tensor]
"""The loss of a network on the parts of a batch, as a tensor without dimensions."""


class MovingAverage:
    """An exponential moving average of a network's weights and of the statistics of its normalisations."""

    def __init__(self, net: nn.Module, steps: int, ramp: int) -> None:
        self.net = copy.deepcopy(net).eval()
        self.steps, self.ramp = steps, ramp
        pairs = zip(self.net.state_dict().values(), net.state_dict().values(), strict=True)
        floats = [(mean, now) for mean, now in pairs if mean.dtype.is_floating_point]
        self._means, self._now = [mean for mean, _ in floats], [now for _, now in floats]

    def update(self, step: int) -> None:
        """Take in the weights after a step (1 for the first, which is the first average)."""
        before = step - 1
        decay = min(1 - 1 / self.steps, before / (before + self.ramp)) if before else 0.0
        torch._foreach_lerp_(self._means, self._now, 1 - decay)


class Trainer:
    """Trains one network, on its device.

    `averaged_steps` is about how many of the last steps the average is of (1: no average); with `ramp` it is of fewer
    at first, some 1/ramp of the steps so far.
    """

    def __init__(
        self,
        net: nn.Module,
        rate: LearningRate,
        *,
        weight_decay: float,
        averaged_steps: int = 1,
        ramp: int = 0,
        max_gradient_norm: float = math.inf,
    ) -> None:
        self.net, self.rate, self.steps = net, rate, 0
        self.max_gradient_norm = max_gradient_norm
        net.train()
        device = next(net.parameters()).device
        self.optimizer = torch.optim.AdamW(
            net.parameters(), rate.at(0.0), weight_decay=weight_decay, fused=device.type == "cuda"
        )
        self.average = MovingAverage(net, averaged_steps, ramp)
        self._loss_sum, self._losses = torch.zeros((), device=device), 0

    def step(self, loss: Loss, batch: Sequence[Any], done: float) -> None:
        """Learn from one batch when a share of the training is done (0 to 1)."""
        self.steps += 1
        self._losses += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate.at(done)
        self.optimizer.zero_grad()
        cost = loss(self.net, *batch)
        cost.backward()
        if math.isfinite(self.max_gradient_norm):
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_gradient_norm)
        self.optimizer.step()
        self._loss_sum += cost.detach()
        self.average.update(self.steps)

    def mean_loss(self) -> float:
        """The mean loss since this was asked last; NaN where there was no step."""
        mean = float(self._loss_sum) / self._losses if self._losses else math.nan
        self._loss_sum.zero_()
        self._losses = 0
        return mean
