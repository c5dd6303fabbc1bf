"""Writes networks as ONNX files for OpenCV. Needs PyTorch and onnx."""

import copy
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import nn

OPSET = 13
"""Version of the operators in the files."""


def export(net: nn.Module, file: Path, example: torch.Tensor, free: Mapping[int, str]) -> None:
    """Write a network with one input and one output; `free` names the dimensions that may have any size."""
    plain = copy.deepcopy(net).cpu().eval().to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        plain, (example,), str(file), input_names=["in"], output_names=["out"],
        dynamic_axes={"in": dict(free), "out": dict(free)}, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
