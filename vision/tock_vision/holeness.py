"""The chance of a hole's middle at each pixel, from a small convolutional network."""

from functools import cache
from importlib.resources import files
from threading import Lock

import cv2
import numpy as np

from tock_vision.arrays import Singles

PITCH_PX = 16
"""Pixels from one hole to the next for which the network was trained; 30 % more or less do no harm."""
STRIDE = 2
"""The network answers at every second pixel."""
PAD = 16
LIGHT_PX = 24
"""Sigma over which light and contrast are evened out."""
FAINTEST = 3.0
_running = Lock()
"""Two threads may search at once, and OpenCV crashes when both run one network."""


@cache
def network() -> cv2.dnn.Net:
    """The network of the package."""
    return network_of(files("tock_vision").joinpath("data", "holeness.onnx").read_bytes())


def network_of(data: bytes) -> cv2.dnn.Net:
    """A network from the content of an ONNX file."""
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def relative(gray: Singles) -> Singles:
    """Brightness relative to the surroundings, in units of their contrast."""
    local = cv2.GaussianBlur(gray, (0, 0), LIGHT_PX)
    spread = cv2.GaussianBlur((gray - local) ** 2, (0, 0), LIGHT_PX)
    out: Singles = np.clip((gray - local) / np.sqrt(np.maximum(spread, FAINTEST**2)), -4, 4)
    return out


def holeness(gray: Singles) -> Singles:
    """Chance of a hole's middle at each pixel of a picture with about `PITCH_PX` pixels from hole to hole."""
    height, width = gray.shape
    tall, wide = (-(-side // PAD) * PAD for side in (height, width))
    padded = cv2.copyMakeBorder(gray, 0, tall - height, 0, wide - width, cv2.BORDER_REPLICATE)
    even, net = relative(padded)[None, None], network()
    with _running:
        net.setInput(even)
        answer = np.array(net.forward(), dtype=np.float32)[0, 0]
    # Answer i lies on pixel 2 i.
    matrix = np.array([[STRIDE, 0, 0], [0, STRIDE, 0]], dtype=np.float32)
    out: Singles = cv2.warpAffine(answer, matrix, (width, height), flags=cv2.INTER_CUBIC)
    return out
