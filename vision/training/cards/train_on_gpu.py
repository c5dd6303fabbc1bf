"""Trains the card classifiers together on one device, on patches that worker processes draw meanwhile.

`python -m vision.training.cards.train_on_gpu ART OUT --seconds 400 --workers 3`.

ART is the folder of art.py, into which further decks and fonts may be linked. The networks see the same batches;
what is written (OUT/NAME.pt, and ONNX at the end) is the running average of the weights. Needs PyTorch, and a GPU for
more than a trial: every worker draws some 300 patches a second, and the GPU takes 1,024 in a few milliseconds.
"""

import argparse
import logging
import math
import queue
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from tock_vision.cards.corners import PATCH_HEIGHT, PATCH_WIDTH
from vision.training.cards.closeups import Closeups
from vision.training.cards.near_patches import NearPatches
from vision.training.cards.networks import LARGE, SMALL, Classifier
from vision.training.cards.patch_store import Store
from vision.training.cards.patches import of_scene
from vision.training.cards.train_classifier import loss
from vision.training.onnx_files import export

Array = Any
log = logging.getLogger(__name__)
NETS = {"large": (LARGE, 2.5e-3), "small": (SMALL, 4e-3)}
"""Widths of the layers, and rate of learning."""
CHUNK, BATCH, MOST = 256, 1024, 650_000
"""Patches that a worker hands over at once, of a step, and in all."""
BEGIN_WITH = 6000
"""Patches with which training begins."""
FINDER_WORKERS = 4
"""Of that many workers the second cuts what the finder takes for an index; the others draw close-ups."""
SECOND_SHARE = 0.4
"""Share of close-ups as scenes have them, rather than of what is held close."""
WARM_STEPS, LAST_RATE, DECAY, EVERY, MAX_GRADIENT = 300, 0.01, 0.999, 4, 2.0
"""Steps in which the rate rises, its share at the end; decay of the average a step, steps between two; clipping."""
LOOK_STEPS, SPOKEN_S, WRITTEN_S = 50, 20.0, 60.0


def closeups(art: Path, seed: int) -> Iterator[tuple[list[Array], list[int]]]:
    """Patches of close-ups: of what is held close, and of all else."""
    near = Closeups(art, seed, foreign=0.2, nothing=0.06, hard=0.3, held=False, near=0.6), 0.55
    usual = Closeups(art, seed + 1, foreign=0.12, nothing=0.15, hard=0.35, held=False, near=0.35), 0.62
    while True:
        maker, shown = usual if near[0].rng.random() < SECOND_SHARE else near
        scene = maker.closeup()
        rows = np.array(scene.rows, np.float32).reshape(-1, 7)
        yield of_scene(scene.image, rows, maker.rng, shown)


def found(art: Path, seed: int) -> Iterator[tuple[list[Array], list[int]]]:
    """Patches of photographs of cards held close and of other games: the indices, and what the finder takes for one."""
    taken = NearPatches(art, seed, held=False)
    photos, empties = taken.maker.photos(1 << 30), taken.maker.empties(1 << 30)
    while True:
        for near in (next(photos), next(empties)):
            taken.take(near)
        yield taken.patches, taken.labels
        taken.patches, taken.labels = [], []


def work(art: Path, number: int, seed: int, out: Any) -> None:
    """Draw patches for ever."""
    cv2.setNumThreads(1)
    by_finder = number % FINDER_WORKERS == 1
    patches: list[Array] = []
    labels: list[int] = []
    for more, kinds in (found if by_finder else closeups)(art, seed + 100 * number):
        patches += more
        labels += kinds
        if len(labels) >= CHUNK:
            out.put((np.array(patches, np.uint8), np.array(labels, np.int64), by_finder))
            patches, labels = [], []


class Training:
    """One network, the average of its weights, and its optimizer."""

    def __init__(self, name: str, device: torch.device) -> None:
        widths, self.rate = NETS[name]
        self.name, self.steps, self.cost = name, 0, torch.zeros((), device=device)
        self.net = Classifier(widths).to(device).to(memory_format=torch.channels_last)
        self.net.train()
        self.mean = {key: value.clone() for key, value in self.net.state_dict().items()}
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=self.rate, weight_decay=2e-2, fused=device.type == "cuda"
        )

    def step(self, data: torch.Tensor, labels: torch.Tensor, better: torch.Tensor, done: float) -> None:
        """Learn from a batch; `done` is the share of the time that has passed."""
        self.steps += 1
        rate = self.rate * min(1.0, self.steps / WARM_STEPS)
        rate *= LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast(data.device.type, dtype=torch.bfloat16):
            answer = self.net(data)
        cost = loss(answer.float(), labels, better)
        self.optimizer.zero_grad(set_to_none=True)
        cost.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), MAX_GRADIENT)
        self.optimizer.step()
        self.cost += cost.detach()
        if self.steps % EVERY == 0:
            kept = min(DECAY, 1 - 1 / (self.steps / 10 + 1)) ** EVERY
            for key, value in self.net.state_dict().items():
                if value.dtype.is_floating_point:
                    self.mean[key].lerp_(value, 1 - kept)

    def write(self, folder: Path) -> None:
        """Write the average of the weights, in the place of the last when it is complete."""
        begun = folder / f"{self.name}.begun"
        torch.save({key: value.cpu() for key, value in self.mean.items()}, begun)
        begun.replace(folder / f"{self.name}.pt")


def take(fresh: Any, store: Store, most: int = 40) -> None:
    """Take in what the workers have drawn."""
    for _ in range(most):
        try:
            store.add(*fresh.get_nowait())
        except queue.Empty:
            break


def trained(
    store: Store, fresh: Any, trainings: list[Training], out: Path, seconds: float, size: int = BATCH
) -> None:
    """Train for some time, on batches of a size."""
    began = spoken = written = time.monotonic()
    while (done := (time.monotonic() - began) / seconds) < 1:
        data, labels, better = store.batch(size)
        data = data.contiguous(memory_format=torch.channels_last)
        for one in trainings:
            one.step(data, labels, better, done)
        if trainings[0].steps % LOOK_STEPS == 0:
            take(fresh, store)
            store.look()
        if time.monotonic() - spoken > SPOKEN_S:
            costs = ", ".join(f"{one.name} {float(one.cost) / one.steps:.4f}" for one in trainings)
            log.info("%d steps: mean loss so far %s; %d patches", trainings[0].steps, costs, store.count)
            spoken = time.monotonic()
        if time.monotonic() - written > WRITTEN_S:
            for one in trainings:
                one.write(out)
            written = time.monotonic()


def main() -> None:
    """Train, and export."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("art", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=910_000)
    parser.add_argument(
        "--batch", type=int, default=BATCH, help="64 and --begin-with 500: a trial without GPU"
    )
    parser.add_argument("--begin-with", type=int, default=BEGIN_WITH, help="patches")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    context = torch.multiprocessing.get_context("spawn")
    fresh = context.Queue(64)
    workers = [
        context.Process(target=work, args=(options.art, n, options.seed, fresh), daemon=True)
        for n in range(max(2, options.workers))
    ]
    for worker in workers:
        worker.start()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    store = Store(device, MOST)
    while store.count < options.begin_with or not store.look():
        time.sleep(0.5)
        take(fresh, store)
    trainings = [Training(name, device) for name in NETS]
    trained(store, fresh, trainings, options.out, options.seconds, options.batch)
    for worker in workers:
        worker.terminate()
    for one in trainings:
        one.write(options.out)
        one.net.load_state_dict(one.mean)
        example = torch.zeros(1, 3, PATCH_HEIGHT, PATCH_WIDTH)
        export(one.net, options.out / f"{one.name}.onnx", example, {0: "n"})


if __name__ == "__main__":
    main()
