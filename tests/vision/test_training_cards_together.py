"""The patches of cards are changed, and the classifiers learn together, where PyTorch is installed."""

from argparse import Namespace
from collections.abc import Iterator

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="`make training-tests` installs PyTorch")
pytest.importorskip("resvg_py", reason="those who draw decks install it")
from vision.training.cards import train_on_gpu as together  # noqa: E402
from vision.training.cards.patch_store import PatchStore  # noqa: E402
from vision.training.cards.patches import SIDE_PX  # noqa: E402
from vision.training.workers import Stream  # noqa: E402


def drawn() -> Iterator[together.Chunk]:
    rng = np.random.default_rng(2)
    for by_finder, first in ((False, 0), (True, -1)):
        patches = rng.integers(0, 256, (60, SIDE_PX, SIDE_PX, 3), np.uint8)
        yield patches, np.where(np.arange(60) % 2, first, -1), by_finder


def test_both_networks_learn_from_the_same_patches() -> None:
    torch.manual_seed(4)
    device = torch.device("cpu")
    store, stream = PatchStore(device, 200), Stream([drawn])
    while store.count < 120:
        together.take(stream, store)
    assert store.take_part()
    data, labels, better = store.batch(20)
    assert data.shape[0] == len(labels) == len(better) == 20
    assert torch.isfinite(data).all()
    trainers = {name: together.new_trainer(name, device) for name in together.NETS}
    together.train(store, stream, trainers, Namespace(seconds=0.2, batch=20))
    assert all(one.steps > 0 for one in trainers.values())
