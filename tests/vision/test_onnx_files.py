"""Networks as ONNX files, where PyTorch and onnx are installed."""

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="`make training-tests` installs PyTorch")
pytest.importorskip("onnx", reason="`make training-tests` installs onnx")
from vision.training.layers import convolution  # noqa: E402
from vision.training.onnx_files import export  # noqa: E402

# OpenCV reads the files of the older exporter.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


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
