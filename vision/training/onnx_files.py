"""Writes networks as ONNX files for OpenCV, and makes a training go on from such a file.

An exported convolution has the weights of its normalisation in its own. So the normalisation begins as one that changes
nothing; a training leaves it so (`fixed_normalisation` of a trainer), or measures it again. Needs PyTorch and onnx.
"""

import copy
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

LAYERS = nn.Conv2d | nn.ConvTranspose2d | nn.Linear
LAYER_NODES = ("Conv", "ConvTranspose", "Gemm")
"""The nodes of a file that have the weight and the bias of a layer."""
OPSET = 13
"""Version of the operators in the files."""
Weights = list[tuple[torch.Tensor, torch.Tensor]]


def export(net: nn.Module, file: Path, example: torch.Tensor, free: Mapping[int, str]) -> None:
    """Write a network with one input and one output; `free` names the dimensions that may have any size."""
    plain = copy.deepcopy(net).cpu().eval().to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        plain, (example,), str(file), input_names=["in"], output_names=["out"],
        dynamic_axes={"in": dict(free), "out": dict(free)}, opset_version=OPSET, dynamo=False,
    )  # fmt: skip


def stored(file: Path) -> Weights:
    """Weight and bias of each layer of an ONNX file, in the order in which the network uses them."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    return [
        (values[node.input[1]], values[node.input[2]]) for node in graph.node if node.op_type in LAYER_NODES
    ]


def restore(net: nn.Module, weights: Weights) -> None:
    """Give a network stored weights, layer by layer in the order of its modules."""
    modules = list(net.modules())
    layers = [
        (module, after)
        for module, after in zip(modules, [*modules[1:], None], strict=True)
        if isinstance(module, LAYERS)
    ]
    with torch.no_grad():
        for (layer, after), (weight, bias) in zip(layers, weights, strict=True):
            layer.weight.copy_(weight)
            if isinstance(after, nn.BatchNorm2d):
                after.weight.fill_(1.0)
                after.bias.copy_(bias)
                after.running_mean.zero_()
                after.running_var.fill_(1 - after.eps)
            else:
                layer.bias.copy_(bias)


def measure_normalisation(net: nn.Module, inputs: Iterable[torch.Tensor]) -> None:
    """Normalise by what a restored network's convolutions answer to inputs; the network answers as before."""
    norms: list[Any] = [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    sums = {norm: torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in norms}

    def add(norm: Any, taken: tuple[torch.Tensor, ...], _: torch.Tensor) -> None:
        values = taken[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack(
            [torch.ones(len(values)) * values.shape[1], values.sum(1), (values**2).sum(1)]
        )

    hooks = [norm.register_forward_hook(add) for norm in norms]
    net.eval()
    with torch.no_grad():
        for one in inputs:
            net(one)
        for hook in hooks:
            hook.remove()
        for norm in norms:
            count, total, squares = sums[norm]
            mean = total / count
            spread = squares / count - mean**2
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_(torch.sqrt(spread + norm.eps))
            norm.bias.add_(mean)
