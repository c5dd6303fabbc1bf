"""The trainer of the networks, where PyTorch is installed: a stopped training goes on as if it had not been."""

from pathlib import Path
from typing import Any

import pytest

from vision.training.learning_rate import LearningRate

torch = pytest.importorskip("torch", reason="`make training-tests` installs PyTorch")
from vision.training.trainer import Trainer  # noqa: E402


def squares(net: Any, points: Any) -> Any:
    """The mean square error of a network that should double its input."""
    return ((net(points) - 2 * points) ** 2).mean()


def trained(steps: range, file: Path, **options: Any) -> Any:
    """A trainer that has learned, going on from a file if there is one, a line from points on it."""
    torch.manual_seed(3)
    net = torch.nn.Sequential(torch.nn.Conv2d(1, 8, 1), torch.nn.BatchNorm2d(8), torch.nn.Conv2d(8, 1, 1))
    trainer = Trainer(net, LearningRate(0.02, 0.1), weight_decay=0.0, **options)
    trainer.resume(file)
    for step in steps:
        points = torch.linspace(-1, 1, 16)[:, None, None, None] + 0.01 * step
        trainer.step(squares, [points], step / 60)
    trainer.save(file)
    return trainer


def weights(net: Any) -> list[float]:
    return [float(value) for part in net.state_dict().values() for value in part.flatten()]


def test_a_training_that_was_stopped_gives_the_same_weights(tmp_path: Path) -> None:
    whole = trained(range(1, 60), tmp_path / "whole", averaged_steps=10)
    trained(range(1, 30), tmp_path / "parts", averaged_steps=10)
    parts = trained(range(30, 60), tmp_path / "parts", averaged_steps=10)
    assert weights(parts.net) == weights(whole.net)
    assert weights(parts.average.net) == weights(whole.average.net)


def test_the_loss_falls_and_is_counted_from_the_last_question(tmp_path: Path) -> None:
    first = trained(range(1, 5), tmp_path / "first").mean_loss()
    trainer = trained(range(5, 60), tmp_path / "first")
    assert trainer.mean_loss() < first / 2
    assert trainer.mean_loss() != trainer.mean_loss()


def test_the_average_follows_the_weights(tmp_path: Path) -> None:
    alone = trained(range(1, 9), tmp_path / "alone")
    assert weights(alone.average.net)[:16] == weights(alone.net)[:16]
    averaged = trained(range(1, 9), tmp_path / "averaged", averaged_steps=10)
    assert weights(averaged.average.net)[:16] != weights(averaged.net)[:16]
