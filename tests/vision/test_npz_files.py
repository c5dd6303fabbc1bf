"""Files of learned arrays: a damaged one, a bomb or a missing one gives one line and takes little memory."""

import os
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from tock_companion.boardfile import generate
from tock_companion.errors import BadInputError
from tock_vision.calibration_file import load_calibration
from tock_vision.cards.jokers import load_jokers
from tock_vision.npz_files import NoArraysError, load_arrays


def archive(**members: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return packed.getvalue()


def array(values: object) -> bytes:
    content = BytesIO()
    np.save(content, np.asarray(values))
    return content.getvalue()


def flipped(data: bytes) -> bytes:
    middle = len(data) // 3
    return data[:middle] + bytes(byte ^ 0x55 for byte in data[middle : middle + 40]) + data[middle + 40 :]


NO_ARRAYS = {
    "empty": b"",
    "text": b"state",
    "one array": array([1, 2]),
    "bomb": archive(head=bytes(30_000_000)),
    "damaged": flipped(archive(head=array(list(range(5000))))),
    "endless shape": archive(head=array([1.0]).replace(b"(1,), ", b"(9999999999999,), ")),
    "objects": archive(
        head=b"\x93NUMPY\x01\x00\x2e\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n"
    ),
}


@pytest.mark.parametrize("name", NO_ARRAYS)
def test_a_bad_packed_array_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "learned.npz"
    path.write_bytes(NO_ARRAYS[name])
    with pytest.raises(NoArraysError):
        load_arrays(path, 20_000_000, "state")
    with pytest.raises(BadInputError, match="not a file made by `tock board learn`"):
        load_calibration(path, generate(4, 400))
    with pytest.raises(BadInputError, match="not a file made by `tock cards enrol`"):
        load_jokers(path)


@pytest.mark.timeout(5)
def test_devices_and_pipes_are_refused_without_being_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(BadInputError, match="not a file"):
            load_calibration(path, generate(4, 400))
        with pytest.raises(BadInputError, match="not a file"):
            load_jokers(path)
