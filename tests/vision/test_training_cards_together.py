"""The patches of cards are changed, and the classifiers learn together, where PyTorch is installed."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="`make training-tests` installs PyTorch")
pytest.importorskip("resvg_py", reason="those who draw decks install it")
from vision.training.cards import train_on_gpu as together  # noqa: E402
from vision.training.cards.augmentation import Amounts, normalised, recut  # noqa: E402
from vision.training.cards.patch_batches import PatchBatches  # noqa: E402
from vision.training.cards.patch_store import PatchStore, cut_at  # noqa: E402
from vision.training.cards.patches import SIDE_PX  # noqa: E402
from vision.training.workers import Stream  # noqa: E402


def drawn() -> Iterator[together.Chunk]:
    rng = np.random.default_rng(2)
    for by_finder, first in ((False, 0), (True, -1)):
        patches = rng.integers(0, 256, (60, SIDE_PX, SIDE_PX, 3), np.uint8)
        yield patches, np.where(np.arange(60) % 2, first, -1), by_finder


def smooth_patches(count: int) -> Any:
    rng = np.random.default_rng(6)
    coarse = rng.integers(0, 256, (count, 6, 6, 3), np.uint8)
    return np.array([cv2.resize(one, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC) for one in coarse])


def test_a_core_and_a_graphics_processor_cut_the_same_places_alike(tmp_path: Path) -> None:
    patches = smooth_patches(24)
    np.savez(tmp_path / "patches.npz", patches=patches, labels=np.zeros(24, np.int16))
    by_core, _, _ = PatchBatches([tmp_path], (3,)).batch(np.arange(24), change=False)
    rng = PatchBatches([tmp_path], (3,)).rng
    places, _ = recut(rng, 24, Amounts())
    cut = cut_at(
        torch.from_numpy(patches).permute(0, 3, 1, 2).float(), torch.from_numpy(places.astype(np.float32))
    )
    assert torch.abs(normalised(cut) - by_core).max() < 0.1


def test_a_batch_depends_on_its_seed_alone(tmp_path: Path) -> None:
    labels = np.where(np.arange(24) % 2, 5, -1).astype(np.int16)
    np.savez(tmp_path / "patches.npz", patches=smooth_patches(24), labels=labels)
    amounts = Amounts(askew=1.3, aslant=1.2, defocused=0.3)
    first, again, other = (PatchBatches([tmp_path], seed, amounts) for seed in ((1,), (1,), (2,)))
    batches = [one.batch(one.chosen(), change=True) for one in (first, again, other)]
    assert all(map(torch.equal, batches[0], batches[1]))
    assert not torch.equal(batches[0][0], batches[2][0])


def test_some_steps_leave_the_weights_of_both_networks(tmp_path: Path) -> None:
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
    together.train(store, stream, trainers, Namespace(out=tmp_path, seconds=0.2, batch=20))
    assert all(one.steps > 0 for one in trainers.values())
    together.write(trainers, tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["large.pt", "small.pt"]
