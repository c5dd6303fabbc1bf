"""The card classifiers learn together, where PyTorch is installed: batches are cut, both networks written."""

import queue
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="those who train install PyTorch")
from vision.training.cards import train_on_gpu as together  # noqa: E402
from vision.training.cards.patches import SIDE_PX  # noqa: E402
from vision.training.cards.patch_store import Store  # noqa: E402


def test_some_steps_leave_the_weights_of_both_networks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(together, "LOOK_STEPS", 1)
    torch.manual_seed(4)
    drawn = np.random.default_rng(2)
    store, fresh = Store(torch.device("cpu"), 200), queue.Queue[object]()
    for by_finder, first in ((False, 0), (True, -1)):
        patches = drawn.integers(0, 256, (60, SIDE_PX, SIDE_PX, 3), np.uint8)
        fresh.put((patches, np.where(np.arange(60) % 2, first, -1), by_finder))
    together.take(fresh, store)
    assert store.count == 120
    assert store.look()
    data, labels, better = store.batch(20)
    assert data.shape[0] == len(labels) == len(better) == 20
    assert torch.isfinite(data).all()
    trainings = [together.Training(name, torch.device("cpu")) for name in together.NETS]
    together.trained(store, fresh, trainings, tmp_path, seconds=0.2, size=20)
    for one in trainings:
        assert one.steps > 0
        one.write(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["large.pt", "small.pt"]
