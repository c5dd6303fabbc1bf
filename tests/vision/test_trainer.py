"""Trainings where PyTorch is installed: the loss falls, networks are exported, classifiers learn together."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.training.learning_rate import LearningRate
from vision.training.workers import Stream

torch = pytest.importorskip("torch", reason="`make training-tests` installs PyTorch")
pytest.importorskip("onnx", reason="`make training-tests` installs onnx")
pytest.importorskip("resvg_py", reason="those who draw decks install it")
from vision.training.cards import train_on_gpu as together  # noqa: E402
from vision.training.cards.patch_store import PatchStore  # noqa: E402
from vision.training.cards.patches import SIDE_PX  # noqa: E402
from vision.training.layers import convolution  # noqa: E402
from vision.training.onnx_files import export  # noqa: E402
from vision.training.trainer import Trainer  # noqa: E402

# OpenCV reads the files of the older exporter.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def squares(net: Any, points: Any) -> Any:
    """The mean square error of a network that should double its input."""
    return ((net(points) - 2 * points) ** 2).mean()


def trained(count: int, **options: Any) -> Any:
    """A trainer that has learned a line from points on it."""
    torch.manual_seed(3)
    net = torch.nn.Sequential(torch.nn.Conv2d(1, 8, 1), torch.nn.BatchNorm2d(8), torch.nn.Conv2d(8, 1, 1))
    trainer = Trainer(net, LearningRate(0.02, 0.1), weight_decay=0.0, **options)
    learn(trainer, range(1, count))
    return trainer


def learn(trainer: Any, steps: range) -> None:
    for step in steps:
        points = torch.linspace(-1, 1, 16)[:, None, None, None] + 0.01 * step
        trainer.step(squares, [points], step / 60)


def weights(net: Any) -> list[float]:
    return [float(value) for part in net.state_dict().values() for value in part.flatten()]


def test_the_loss_falls_and_is_counted_from_the_last_question() -> None:
    trainer = trained(5)
    first = trainer.mean_loss()
    learn(trainer, range(5, 60))
    assert trainer.mean_loss() < first / 2
    assert trainer.mean_loss() != trainer.mean_loss()


def test_the_average_follows_the_weights() -> None:
    alone = trained(9)
    assert weights(alone.average.net)[:16] == weights(alone.net)[:16]
    averaged = trained(9, averaged_steps=10)
    assert weights(averaged.average.net)[:16] != weights(averaged.net)[:16]


def test_opencv_answers_as_the_exported_network(tmp_path: Path) -> None:
    torch.manual_seed(5)
    net = torch.nn.Sequential(
        convolution(2, 4, stride=2), torch.nn.ConvTranspose2d(4, 3, 2, 2), convolution(3, 3, dilation=2),
        torch.nn.Flatten(), torch.nn.Linear(3 * 8 * 8, 2),
    )  # fmt: skip
    net(torch.rand(16, 2, 8, 8) * 3 - 1)
    pictures = torch.rand(6, 2, 8, 8)
    export(net.eval(), tmp_path / "net.onnx", pictures[:1], {0: "n"})
    shipped = cv2.dnn.readNetFromONNX(str(tmp_path / "net.onnx"))
    shipped.setInput(pictures.numpy())
    with torch.no_grad():
        assert np.abs(shipped.forward() - net(pictures).numpy()).max() < 1e-4


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
