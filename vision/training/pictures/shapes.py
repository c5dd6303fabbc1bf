"""Balls, rods and cards, and where rays meet them, for the tracer of training pictures (needs numba)."""

import numpy as np
from numba import njit

FAR = 1e9
CELL_MM = 20.0
SPHERE, CAPSULE, CARD = 0, 1, 2
MATT, GLOSSY, SWIRL, GLASS = 0, 1, 2, 3
"""Materials of things."""
# Columns of a primitive: kind, x y z, x y z of the other end (of a card: half sides and turn), radius, colour (3),
# material, second colour (3), twist, group.
COLUMNS = 17


@njit(cache=True, inline="always")
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def _ball(o, d, x, y, z, r):
    """The distance along the ray to a ball, FAR when it is missed."""
    px, py, pz = o[0] - x, o[1] - y, o[2] - z
    b = px * d[0] + py * d[1] + pz * d[2]
    c = px * px + py * py + pz * pz - r * r
    root = b * b - c
    if root <= 0.0:
        return FAR
    t = -b - np.sqrt(root)
    return t if t > 1e-4 else FAR


@njit(cache=True)
def _rod(o, d, p):
    """The distance to a rod with round ends."""
    ax, ay, az = p[4] - p[1], p[5] - p[2], p[6] - p[3]
    length2 = ax * ax + ay * ay + az * az
    px, py, pz = o[0] - p[1], o[1] - p[2], o[2] - p[3]
    along_d = (ax * d[0] + ay * d[1] + az * d[2]) / length2
    along_p = (ax * px + ay * py + az * pz) / length2
    # The parts of ray and start across the axis.
    dx, dy, dz = d[0] - along_d * ax, d[1] - along_d * ay, d[2] - along_d * az
    qx, qy, qz = px - along_p * ax, py - along_p * ay, pz - along_p * az
    a = dx * dx + dy * dy + dz * dz
    b = dx * qx + dy * qy + dz * qz
    c = qx * qx + qy * qy + qz * qz - p[7] * p[7]
    root = b * b - a * c
    if a > 1e-12 and root > 0.0:
        t = (-b - np.sqrt(root)) / a
        s = along_p + t * along_d
        if t > 1e-4 and 0.0 <= s <= 1.0:
            return t
    first = _ball(o, d, p[1], p[2], p[3], p[7])
    return min(first, _ball(o, d, p[4], p[5], p[6], p[7]))


@njit(cache=True)
def _card(o, d, p):
    """The distance to a flat card at a height."""
    if abs(d[2]) < 1e-9:
        return FAR
    t = (p[3] - o[2]) / d[2]
    if t < 1e-4:
        return FAR
    x, y = o[0] + t * d[0] - p[1], o[1] + t * d[1] - p[2]
    cos, sin = np.cos(p[6]), np.sin(p[6])
    u, v = x * cos + y * sin, -x * sin + y * cos
    return t if abs(u) < p[4] and abs(v) < p[5] else FAR


@njit(cache=True)
def distance(o, d, p):
    if p[0] == SPHERE:
        return _ball(o, d, p[1], p[2], p[3], p[7])
    if p[0] == CAPSULE:
        return _rod(o, d, p)
    return _card(o, d, p)


@njit(cache=True)
def first_hit(o, d, prims, bounds, near):
    """Distance and number of the nearest of some primitives, FAR and -1 when none is met."""
    best, which = FAR, -1
    for n in near:
        if n < 0:
            break
        px, py, pz = bounds[n, 0] - o[0], bounds[n, 1] - o[1], bounds[n, 2] - o[2]
        t = px * d[0] + py * d[1] + pz * d[2]
        away = px * px + py * py + pz * pz - t * t
        if away > bounds[n, 3]:
            continue
        t = distance(o, d, prims[n])
        if t < best:
            best, which = t, n
    return best, which


@njit(cache=True)
def near_of(lists, x, y, size):
    """The numbers of the primitives that matter at a place of the plane, ended by -1."""
    row = min(max(int((y + size[1]) / CELL_MM), 0), lists.shape[0] - 1)
    column = min(max(int((x + size[0]) / CELL_MM), 0), lists.shape[1] - 1)
    return lists[row, column]


@njit(cache=True)
def covered(origin, points, group, prims, bounds):
    """The share of points that something of another group hides from the camera."""
    hidden = 0
    everything = np.arange(len(prims))
    for n in range(len(points)):
        d = points[n] - origin
        far = np.sqrt(dot(d, d))
        d = d / far
        t, which = first_hit(origin, d, prims, bounds, everything)
        if which >= 0 and t < far - 0.5 and int(prims[which, 16]) != group:
            hidden += 1
    return hidden / len(points)
