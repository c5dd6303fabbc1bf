"""Assignment at the least total cost: colours to seats, camps to starts."""

from tock_vision.arrays import Floats


def assigned(cost: Floats) -> list[int]:
    """Each row another column, at the least total cost (shape: [rows, columns], columns at least as many as rows).

    Exact: the best way to serve the first rows is kept for each set of columns that they take.
    """
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for row in cost.tolist():
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for taken, (total, chosen) in best.items():
            for column, own in enumerate(row):
                if taken >> column & 1:
                    continue
                now, known = taken | 1 << column, longer.get(taken | 1 << column)
                if known is None or total + own < known[0]:
                    longer[now] = total + own, (*chosen, column)
        best = longer
    return list(min(best.values())[1])
