"""Networks as ONNX files, where PyTorch and onnx are installed: one that goes on from a file answers as it did."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="`make training-tests` installs PyTorch")
pytest.importorskip("onnx", reason="`make training-tests` installs onnx")
from vision.training.layers import convolution  # noqa: E402
from vision.training.onnx_files import export, measure_normalisation, restore, stored  # noqa: E402

# OpenCV reads what the older exporter writes.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def network() -> Any:
    """A network whose normalisations have seen some pictures."""
    net = torch.nn.Sequential(
        convolution(2, 4, stride=2), torch.nn.ConvTranspose2d(4, 3, 2, 2), convolution(3, 3, dilation=2),
        torch.nn.Flatten(), torch.nn.Linear(3 * 8 * 8, 2),
    )  # fmt: skip
    net(torch.rand(16, 2, 8, 8) * 3 - 1)
    return net.eval()


def answer(net: Any, pictures: Any) -> Any:
    with torch.no_grad():
        return net(pictures).numpy()


def test_a_network_that_goes_on_from_its_file_answers_as_before(tmp_path: Path) -> None:
    torch.manual_seed(5)
    shipped, other = network(), network()
    pictures = torch.rand(6, 2, 8, 8)
    export(shipped, tmp_path / "net.onnx", pictures[:1], {0: "n"})
    restore(other, stored(tmp_path / "net.onnx"))
    fixed = answer(other, pictures)
    assert np.abs(fixed - answer(shipped, pictures)).max() < 1e-5
    measure_normalisation(other, [pictures])
    assert np.abs(answer(other, pictures) - fixed).max() < 1e-5
    other.train()
    assert np.abs(answer(other, pictures) - fixed).max() < 1e-4
