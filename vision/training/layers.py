"""The layer that all networks are made of. Needs PyTorch."""

from torch import nn


def convolution(
    into: int,
    out: int,
    size: int = 3,
    stride: int = 1,
    *,
    dilation: int = 1,
    groups: int = 1,
    inplace: bool = False,
) -> nn.Sequential:
    """A convolution that keeps the picture's size (but for its stride), normalisation and rectifier."""
    pad = dilation * (size // 2)
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride, pad, dilation=dilation, groups=groups, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=inplace),
    )
