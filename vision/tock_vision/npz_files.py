"""Packed arrays (`.npz`) that a person named: damaged ones, bombs and other files are no arrays at all."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from tock_companion.files import read_bounded
from tock_vision.arrays import Frame


class NoArraysError(Exception):
    """The file is not one that numpy packed, or holds more than it may."""


def packed(**arrays: Any) -> bytes:
    """Pack arrays by name."""
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def load_arrays(path: Path, most_bytes: int, what: str) -> Mapping[str, Frame]:
    """Read all arrays of a file, of at most `most_bytes` packed and unpacked.

    Raises BadInputError when the file cannot be read, NoArraysError when it holds something else.
    """
    data = BytesIO(read_bounded(path, most_bytes, what))
    try:
        with zipfile.ZipFile(data) as archive:
            # The archive's own figure; longer data fail its checksum.
            if sum(entry.file_size for entry in archive.infolist()) > most_bytes:
                raise NoArraysError(f"{path} unpacks to more than {most_bytes} bytes")
        with np.load(data, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except Exception as error:
        # Unchecked bytes end in any error of zip, zlib, numpy, or Python's parser of headers.
        raise NoArraysError(f"{path}: {error}") from error
    # A member that does not begin like an array comes as its bytes.
    if not all(isinstance(array, np.ndarray) for array in found.values()):
        raise NoArraysError(f"{path} holds something else than arrays")
    return found
