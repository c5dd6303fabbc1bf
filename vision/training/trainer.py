"""One network in training: AdamW by a learning rate schedule, clipped gradients, and a moving average of the weights.

The trainings of the board reader, of discovery and of cards all use it. Needs PyTorch.
"""

import copy
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from vision.training.learning_rate import LearningRate

Loss = Callable[..., torch.Tensor]
"""The loss of a network on the parts of a batch, as a tensor without dimensions."""
WARM_UP_REPLAYS = 3
"""Steps before one is recorded, as PyTorch asks for."""


class MovingAverage:
    """An exponential moving average of a network's weights, and of what its normalisations measured."""

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
    """Trains one network, on the device that it lies on.

    `averaged_steps` is about how many of the last steps the average is of (1: no average); with `ramp` it is of fewer
    at first, some 1/ramp of the steps so far. With `fixed_normalisation` the network's normalisations stay as they are,
    as those must that export has made part of the convolutions.
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
        fixed_normalisation: bool = False,
    ) -> None:
        self.net, self.rate, self.steps = net, rate, 0
        self.max_gradient_norm, self.fixed_normalisation = max_gradient_norm, fixed_normalisation
        self._set_training()
        device = next(net.parameters()).device
        first: Any = rate.at(0.0)
        quick = {}
        if device.type == "cuda":
            # A recorded step reads its rate from the device's memory.
            first, quick = torch.tensor(first, device=device), {"fused": True, "capturable": True}
        self.optimizer = torch.optim.AdamW(net.parameters(), first, weight_decay=weight_decay, **quick)
        self.average = MovingAverage(net, averaged_steps, ramp)
        self._loss_sum, self._losses = torch.zeros((), device=device), 0
        self._graph: Any = None

    def step(self, loss: Loss, batch: Sequence[Any], done: float) -> None:
        """Learn from one batch when a share of the training is done (0 to 1); a recorded step has its own batch."""
        self.steps += 1
        self._losses += 1
        rate = self.rate.at(done)
        for group in self.optimizer.param_groups:
            if isinstance(group["lr"], torch.Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        if self._graph is not None:
            self._graph.replay()
        else:
            self._descend(loss, batch)
        self.average.update(self.steps)

    def _descend(self, loss: Loss, batch: Sequence[Any]) -> None:
        if not self.net.training:
            self._set_training()
        self.optimizer.zero_grad()
        cost = loss(self.net, *batch)
        cost.backward()
        if math.isfinite(self.max_gradient_norm):
            nn.utils.clip_grad_norm_(self.net.parameters(), self.max_gradient_norm)
        self.optimizer.step()
        self._loss_sum += cost.detach()

    def _set_training(self) -> None:
        self.net.train()
        for part in self.net.modules():
            if self.fixed_normalisation and isinstance(part, nn.BatchNorm2d):
                part.eval()

    def record(self, loss: Loss, batch: Sequence[Any], pool: Any) -> None:
        """Record a step on a graphics processor: launching its hundreds of small parts takes longer than they do.

        From then on `step` learns from what lies in the tensors of this batch. `pool` is the memory that
        recordings share. RuntimeError where the device cannot record the step.
        """
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARM_UP_REPLAYS):
                self._descend(loss, batch)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            self._descend(loss, batch)
        self._graph = graph
        self._loss_sum.zero_()

    def forget_recording(self) -> None:
        """Do each step by itself again."""
        self._graph = None

    def mean_loss(self) -> float:
        """The mean loss since this was asked last; NaN where there was no step."""
        mean = float(self._loss_sum) / self._losses if self._losses else math.nan
        self._loss_sum.zero_()
        self._losses = 0
        return mean

    def save(self, file: Path) -> None:
        """Write all that `resume` needs to go on after this step."""
        parts = {"net": self.net, "average": self.average.net, "optimizer": self.optimizer}
        save({name: part.state_dict() for name, part in parts.items()} | {"steps": self.steps}, file)

    def resume(self, file: Path) -> None:
        """Go on where a file was saved; from the beginning where there is none."""
        if not file.exists():
            return
        stored = torch.load(file)
        self.net.load_state_dict(stored["net"])
        self.average.net.load_state_dict(stored["average"])
        self.optimizer.load_state_dict(stored["optimizer"])
        self.steps = stored["steps"]


def save(state: dict[str, Any], file: Path) -> None:
    """Write tensors; a file that is there stays until the new one is whole."""
    begun = file.with_suffix(".part")
    torch.save(state, begun)
    begun.replace(file)
