"""A network of the reader while it is trained together with others."""

from collections.abc import Sequence
from typing import Any

import torch

from vision.training.batch import Batch
from vision.training.reader_nets import Both
from vision.training.slots import Ready

AVERAGED_STEPS = 600
"""The weights are a mean of about this many of the last steps."""
WEIGHT_DECAY, MAX_GRADIENT_NORM = 1e-2, 2.0


class Pupil:
    """A network that is trained, and what it must not see."""

    def __init__(self, name: str, boards: int = -1) -> None:
        self.name, self.boards = name, boards
        self.steps, self.net = 0, Both()
        self.own: list[Any] = []
        self.kept: list[Any] = []
        self.graph: Any = None

    def begin(self, device: str) -> None:
        """Go to the device."""
        self.net.to(device)
        self.net.train()
        self.net.patches.to(memory_format=torch.channels_last)
        self.own = [value.detach() for value in self.net.parameters()]
        self.kept = [value.clone() for value in self.own]
        self.loss = torch.zeros((), device=device)
        self.rate = torch.tensor(1e-4, device=device)
        quick = {"capturable": True, "fused": True} if device != "cpu" else {}
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=self.rate, weight_decay=WEIGHT_DECAY, **quick
        )

    def may_see(self, ready: Ready) -> bool:
        """Whether a batch has no boards that are kept from it."""
        return ready.boards != self.boards

    def step(self, batch: Batch) -> None:
        """One step."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.net.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), MAX_GRADIENT_NORM, foreach=True)
        self.optimizer.step()
        torch._foreach_lerp_(self.kept, self.own, 1 / AVERAGED_STEPS)
        self.loss.lerp_(loss.detach(), 0.02)

    def record(self, batch: Batch, pool: Any) -> None:
        """Record a step, as launching its five hundred small parts takes longer than what they do."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.step(batch)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            self.step(batch)
        self.graph = graph

    def learn(self, batch: Batch, rate: float) -> None:
        """Learn from the batch; a recorded step learns from what lies in the batch that it was recorded with."""
        self.rate.fill_(rate)
        self.steps += 1
        if self.graph is None:
            self.step(batch)
        else:
            self.graph.replay()

    def state(self, batches: Sequence[tuple[Batch, Ready]]) -> dict[str, Any]:
        """The mean weights, their normalisation measured on batches that it may see."""
        net = Both().to(self.loss.device)
        with torch.no_grad():
            for value, kept in zip(net.parameters(), self.kept, strict=True):
                value.copy_(kept)
            for norm in net.modules():
                if isinstance(norm, torch.nn.BatchNorm2d):
                    norm.reset_running_stats()
                    norm.momentum = None
            net.train()
            for batch, ready in batches:
                if self.may_see(ready):
                    net.run(batch)
        return {name: value.cpu() for name, value in net.state_dict().items()}
