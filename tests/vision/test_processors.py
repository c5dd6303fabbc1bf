"""A reading does not depend on the processor: the order in which it adds floats decides nothing."""

import json
import os
import platform
import subprocess
import sys

import pytest

from tests.support.pictures import BOARDS, needs_pictures

NARROW = {
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL",
    "OPENBLAS_CORETYPE": "Prescott",
    "OPENCV_CPU_DISABLE": "AVX512_SKX,AVX2,AVX,SSE4_2,SSE4_1",
    "OPENCV_IPP": "disabled",
}
"""Makes the libraries add in the order of a processor from 2004; instructions that the machine lacks are ignored."""
STILL = ("boards/D07.json", "stills/s0105.jpg")
"""A hand lies over a marker, and two holes are as good as doubtful."""


@pytest.mark.whole
@needs_pictures
@pytest.mark.skipif(platform.machine() != "x86_64", reason="`make arm64` compares this processor with x86-64")
def test_a_board_is_found_and_read_alike_with_and_without_wide_vectors() -> None:
    board, still = (str(BOARDS / name) for name in STILL)
    command = [sys.executable, "-m", "tock_app.cli.main", "board", "read", "--board", board, still]
    reports = []
    for changes in ({}, NARROW):
        done = subprocess.run(
            command, env={**os.environ, **changes}, capture_output=True, text=True, check=True, timeout=120
        )
        reports.append(json.loads(done.stdout))
    wide, narrow = reports
    assert wide["registered"]
    assert wide["rms_px"] == narrow["rms_px"]
    assert wide["holes"] == narrow["holes"]
