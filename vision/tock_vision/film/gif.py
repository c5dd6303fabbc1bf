"""Writes an animated GIF picture by picture, each as the changes since the one before."""

from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
from PIL import GifImagePlugin, Image, ImageChops

COLORS = 255
CLEAR = 255
"""The colour that leaves a pixel unchanged."""
REST_MS = 10
"""Unit of time of a GIF."""


def palette_of(samples: Sequence[Image.Image]) -> Image.Image:
    """The colours that suit some pictures best, in a picture with a palette."""
    sheet = Image.new("RGB", (max(one.width for one in samples), sum(one.height for one in samples)))
    top = 0
    for sample in samples:
        sheet.paste(sample, (0, top))
        top += sample.height
    return sheet.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


class GifWriter:
    """Takes pictures of one size, in their order; `close` ends the file."""

    def __init__(self, out: BinaryIO, first: Image.Image, palette: Image.Image) -> None:
        self._out, self._palette = out, palette
        self._shown: Image.Image | None = None
        self._waiting: Image.Image | None = None
        self._wait_ms = 0
        self.pictures, self.total_ms = 0, 0
        head = self._in_palette(first)
        head.info["loop"] = 0
        about = {"loop": 0, "duration": REST_MS, "optimize": False}
        out.writelines(GifImagePlugin.getheader(head, info=about)[0])

    def add(self, picture: Image.Image, shown_ms: int) -> None:
        """Show a picture for a time; the same one again is shown longer."""
        if self._waiting is not None and picture is self._waiting:
            self._wait_ms += shown_ms
            return
        self._flush()
        self._waiting, self._wait_ms = picture, shown_ms

    def close(self) -> None:
        """Write the last picture and the end of the file; it is shown once, then starts over."""
        self._flush()
        self._out.write(b";")

    def _in_palette(self, picture: Image.Image) -> Image.Image:
        return picture.quantize(palette=self._palette, dither=Image.Dither.NONE)

    def _flush(self) -> None:
        picture = self._waiting
        if picture is None:
            return
        box = (0, 0, 1, 1)
        if self._shown is None:
            frame = self._in_palette(picture)
            box = (0, 0, *picture.size)
        else:
            box = ImageChops.difference(self._shown, picture).getbbox() or box
            frame = self._changed(self._shown.crop(box), picture.crop(box))
        duration = REST_MS * round(self._wait_ms / REST_MS)
        frame.encoderinfo = {}
        self._out.writelines(
            GifImagePlugin.getdata(frame, box[:2], duration=duration, transparency=CLEAR, disposal=1)
        )
        self.pictures += 1
        self.total_ms += duration
        self._shown, self._waiting = picture, None

    def _changed(self, before: Image.Image, after: Image.Image) -> Image.Image:
        """The picture with every unchanged pixel left clear."""
        old, new = np.asarray(before), np.asarray(after)
        indices = np.asarray(self._in_palette(after)).copy()
        indices[(old == new).all(axis=2)] = CLEAR
        frame = Image.fromarray(indices, "P")
        frame.putpalette(self._palette.getpalette() or [])
        return frame
