"""Makes a training go on from an exported network: each normalisation that export folded away is measured again.

An exported convolution has the weights of its normalisation in its own. Unfolded with the mean and the spread that
its answers have on pictures of training, the network answers as before and can be trained as any other. Needs PyTorch
and onnx.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import nn

FOLDED = "onnx::"
"""Begins the names that export gives to weights in which others were folded."""


def go_on_from(net: nn.Module, file: Path, seen: Iterable[torch.Tensor]) -> None:
    """Give a network the weights of a file, as training or as export wrote it; `seen` are inputs to measure on."""
    if file.suffix == ".pt":
        net.load_state_dict(torch.load(file))
        return
    arrays = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(file)).graph.initializer}
    folded = iter([array for name, array in arrays.items() if name.startswith(FOLDED)])
    state = net.state_dict()
    for name in state:
        known = [array for key, array in arrays.items() if key in (name, f"0.{name}")]
        if known:
            state[name] = torch.from_numpy(known[0].copy())
    net.load_state_dict(state)
    pairs = list(_normalised(net))
    with torch.no_grad():
        for convolution, norm in pairs:
            convolution.weight.copy_(torch.from_numpy(next(folded).copy()))
            norm.weight.fill_(1.0)
            norm.bias.copy_(torch.from_numpy(next(folded).copy()))
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
        _measured(net, [norm for _, norm in pairs], seen)


def _normalised(net: nn.Module) -> Iterator[tuple[Any, Any]]:
    """The convolutions that are followed by a normalisation, in the order in which the network has them."""
    before: nn.Module | None = None
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            yield before, part
        before = part


def _measured(net: nn.Module, norms: list[Any], seen: Iterable[torch.Tensor]) -> None:
    """Normalise by what a network's convolutions answer, and undo it with the weights of the normalisation."""
    sums = {norm: torch.zeros(3, norm.num_features, dtype=torch.float64) for norm in norms}

    def add(norm: Any, taken: tuple[torch.Tensor, ...], _: torch.Tensor) -> None:
        values = taken[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack(
            [torch.ones(len(values)) * values.shape[1], values.sum(1), (values**2).sum(1)]
        )

    hooks = [norm.register_forward_hook(add) for norm in norms]
    net.eval()
    for one in seen:
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
