"""Trains both card classifiers at once on one device, on patches that worker processes draw meanwhile.

`python -m vision.training.cards.train_on_gpu ART OUT --seconds 400 --workers 3`.

ART is the folder of art.py, into which further decks and fonts may be linked. The networks see the same batches;
the moving average of the weights is written (OUT/NAME.onnx). Needs PyTorch, and a GPU for
more than a trial: every worker draws some 300 patches a second, and the GPU takes 1,024 in a few milliseconds.
"""

import argparse
import logging
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tock_vision.cards.corners import PATCH_HEIGHT, PATCH_WIDTH, PLACE_AT, SUIT_AT, VALID_AT
from vision.training.cards.closeups import Closeups
from vision.training.cards.near_patches import NearPatches
from vision.training.cards.networks import LARGE, SMALL, Classifier
from vision.training.cards.patch_store import PatchStore
from vision.training.cards.patches import FIRST_JOKER, of_scene
from vision.training.learning_rate import LearningRate
from vision.training.onnx_files import export
from vision.training.process_setup import set_up, use_one_core
from vision.training.shorten_weights import shorten
from vision.training.trainer import Trainer
from vision.training.workers import Stream

Array = Any
Chunk = tuple[Array, Array, bool]
"""Patches (shape: [n, SIDE_PX, SIDE_PX, 3]), their labels, and whether the finder took them for an index."""
log = logging.getLogger(__name__)
NETS = {"large": (LARGE, 2.5e-3), "small": (SMALL, 4e-3)}
"""Widths of the layers, and the peak of the learning rate."""
CHUNK, BATCH, MAX_PATCHES = 256, 1024, 650_000
"""Patches that a worker hands over at once, of a step, and in all."""
BEGIN_WITH = 6000
"""Patches with which training begins."""
FINDER_WORKERS = 4
"""Of that many workers the second cuts the finder's finds; the others draw close-ups."""
USUAL_SHARE = 0.4
"""Share of close-ups as scenes have them, rather than of cards held close."""
WARM_UP, LAST_RATE, WEIGHT_DECAY, MAX_GRADIENT_NORM = 0.02, 0.01, 2e-2, 2.0
"""Share of the time in which the learning rate rises, and the share of its peak to which it falls."""
AVERAGED_STEPS, RAMP = 1000, 10
TAKEN_STEPS, MAX_CHUNKS = 50, 40
"""Steps after which patches are taken in, and how many chunks at once."""
LOGGED_EVERY_S = 20.0


def closeups(art: Path, seed: int) -> Iterator[tuple[list[Array], list[int]]]:
    """Patches of close-ups: of cards held close, and of others."""
    near = Closeups(art, seed, other_games_share=0.2, nothing=0.06, hard=0.3, near=0.6), 0.55
    usual = (
        Closeups(art, seed + 1, other_games_share=0.12, nothing=0.15, hard=0.35, near=0.35),
        0.62,
    )
    while True:
        maker, shown = usual if near[0].rng.random() < USUAL_SHARE else near
        scene = maker.closeup()
        rows = np.array(scene.rows, np.float32).reshape(-1, 7)
        yield of_scene(scene.image, rows, maker.rng, shown)


def found(art: Path, seed: int) -> Iterator[tuple[list[Array], list[int]]]:
    """Patches of photographs of cards held close and of other games: the indices, and the finder's false finds."""
    taken = NearPatches(art, seed)
    photos, empties = taken.maker.photos(1 << 30), taken.maker.empties(1 << 30)
    while True:
        for near in (next(photos), next(empties)):
            taken.take(near)
        yield taken.patches, taken.labels
        taken.patches, taken.labels = [], []


def drawn(art: Path, number: int, seed: int) -> Iterator[Chunk]:
    """Draw patches for ever, as the worker with a number does."""
    use_one_core()
    by_finder = number % FINDER_WORKERS == 1
    patches: list[Array] = []
    labels: list[int] = []
    for more, kinds in (found if by_finder else closeups)(art, seed + 100 * number):
        patches += more
        labels += kinds
        if len(labels) >= CHUNK:
            yield np.array(patches, np.uint8), np.array(labels, np.int64), by_finder
            patches, labels = [], []


def loss(answer: torch.Tensor, labels: torch.Tensor, better: torch.Tensor) -> torch.Tensor:
    """The loss of answers (shape: [n, 25]): rank, suit and place of cards, and whether it is one (label -1: none)."""
    cards = labels >= 0
    known = labels[cards]
    joker = known >= FIRST_JOKER
    rank = torch.where(joker, torch.full_like(known, 13), known % 13)
    suit = torch.where(joker, known - FIRST_JOKER + 4, known // 13)
    seen = answer[cards]
    total = functional.cross_entropy(seen[:, :SUIT_AT], rank, label_smoothing=0.01)
    total = total + functional.cross_entropy(seen[:, SUIT_AT:VALID_AT], suit, label_smoothing=0.01)
    total = total + functional.binary_cross_entropy_with_logits(answer[:, VALID_AT], cards.float())
    return total + 2 * functional.smooth_l1_loss(seen[:, PLACE_AT:], better[cards], beta=0.1)


def loss_on(
    net: torch.nn.Module, data: torch.Tensor, labels: torch.Tensor, better: torch.Tensor
) -> torch.Tensor:
    """The loss of a network on a batch."""
    with torch.autocast(data.device.type, dtype=torch.bfloat16):
        answer = net(data.contiguous(memory_format=torch.channels_last))
    return loss(answer.float(), labels, better)


def new_trainer(name: str, device: torch.device) -> Trainer:
    """The trainer of a new network."""
    widths, rate = NETS[name]
    floor = LAST_RATE * rate
    return Trainer(
        Classifier(widths).to(device, memory_format=torch.channels_last),
        LearningRate(rate - floor, WARM_UP, floor=floor), weight_decay=WEIGHT_DECAY,
        averaged_steps=AVERAGED_STEPS, ramp=RAMP, max_gradient_norm=MAX_GRADIENT_NORM,
    )  # fmt: skip


def take(stream: Stream[Chunk], store: PatchStore) -> bool:
    """Take in some of the drawn patches; return whether there are some of every kind."""
    for chunk in islice(stream.ready(), MAX_CHUNKS):
        store.add(*chunk)
    return store.take_part()


def train(
    store: PatchStore, stream: Stream[Chunk], trainers: dict[str, Trainer], options: argparse.Namespace
) -> None:
    """Train for some time."""
    began = logged = time.monotonic()
    steps = 0
    while (done := (time.monotonic() - began) / options.seconds) < 1:
        batch = store.batch(options.batch)
        for trainer in trainers.values():
            trainer.step(loss_on, batch, done)
        steps += 1
        if steps % TAKEN_STEPS == 0:
            take(stream, store)
        if time.monotonic() - logged > LOGGED_EVERY_S:
            losses = ", ".join(f"{name} {one.mean_loss():.4f}" for name, one in trainers.items())
            log.info("%d steps: loss %s; %d patches", steps, losses, store.count)
            logged = time.monotonic()


def main() -> None:
    """Train, and export."""
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
    set_up(options.out)
    workers = range(max(2, options.workers))
    stream = Stream([partial(drawn, options.art, number, options.seed) for number in workers], room=64)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    store = PatchStore(device, MAX_PATCHES)
    while not take(stream, store) or store.count < options.begin_with:
        time.sleep(0.5)
    trainers = {name: new_trainer(name, device) for name in NETS}
    train(store, stream, trainers, options)
    stream.stop()
    example = torch.zeros(1, 3, PATCH_HEIGHT, PATCH_WIDTH)
    for name, trainer in trainers.items():
        export(trainer.average.net, options.out / f"{name}.onnx", example, {0: "n"})
    shorten(options.out / "large.onnx")


if __name__ == "__main__":
    main()
