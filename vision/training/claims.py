"""What a reader claims against what is true."""

from collections.abc import Sequence

import numpy as np

BINS = 10


def calibration_error(claims: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error of (confidence, right) over ten bins of equal width; 0 without claims."""
    if not claims:
        return 0.0
    confidence, right = (np.array(column, dtype=float) for column in zip(*claims, strict=True))
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = [
        abs(confidence[place == n].mean() - right[place == n].mean()) * (place == n).mean()
        for n in range(BINS)
        if (place == n).any()
    ]
    return float(sum(gaps))
