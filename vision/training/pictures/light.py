"""The light that reaches a place of a traced picture: of a lamp or the sun, through a window's frame, of the sky.

Needs numba.
"""

import numpy as np
from numba import njit

from vision.training.pictures.shapes import CAPSULE, CARD, FAR, GLASS, distance, dot


@njit(cache=True)
def lit_through(o, d, prims, bounds, near, skip):
    """Light from a direction: glass lets some through."""
    light = 1.0
    for n in near:
        if n < 0:
            break
        if n == skip:
            continue
        px, py, pz = bounds[n, 0] - o[0], bounds[n, 1] - o[1], bounds[n, 2] - o[2]
        t = px * d[0] + py * d[1] + pz * d[2]
        if px * px + py * py + pz * pz - t * t > bounds[n, 3]:
            continue
        if distance(o, d, prims[n]) < FAR:
            if prims[n, 11] == GLASS:
                light *= 0.45
            else:
                return 0.0
    return light


@njit(cache=True)
def _window(x, y, lamp):
    """Share of the lamp that reaches a place through a window's frame (columns 8 on of the lamp)."""
    if lamp[8] == 0.0:
        return 1.0
    cos, sin = np.cos(lamp[9]), np.sin(lamp[9])
    u, v = (x * cos + y * sin + lamp[10]) / lamp[11], (-x * sin + y * cos + lamp[12]) / lamp[13]
    soft = lamp[14]
    if lamp[8] == 2.0:
        return min(1.0, max(0.0, u / soft + 0.5))
    fu, fv = u - np.floor(u), v - np.floor(v)
    gap = min(min(fu, 1 - fu) - lamp[15], min(fv, 1 - fv) - lamp[15])
    return min(1.0, max(0.0, gap / soft + 0.5))


@njit(cache=True)
def sky(r, lamp, ambient, rough):
    """The brightness seen in a mirror direction (shape: [3])."""
    out = np.empty(3)
    near = r[0] * lamp[0] + r[1] * lamp[1] + r[2] * lamp[2]
    width = lamp[7] + rough
    peak = 1.0 / (1.0 + (max(0.0, 1.0 - near) / (0.5 * width * width + 1e-5)) ** 2)
    strength = 0.35 / (width * width + 0.02) * 0.09
    for k in range(3):
        out[k] = ambient[k] * (0.35 + 0.65 * max(0.0, r[2])) + lamp[3 + k] * peak * min(strength, 14.0)
    return out


@njit(cache=True)
def light_on(o, n, ao, lamp, ambient, prims, bounds, near, skip, rim, samples, jitter):
    """The light on a surface (shape: [3]); `rim` is centre and radius of the hole it must pass, or radius 0."""
    seen = 0.0
    for s in range(samples):
        turn, far = 6.2831853 * (s + jitter) / samples * 2.4, np.sqrt((s + 0.5) / samples) * lamp[7]
        d = np.array((lamp[0] + far * np.cos(turn), lamp[1] + far * np.sin(turn), lamp[2]))
        d /= np.sqrt(dot(d, d))
        facing = dot(n, d)
        if facing <= 0.0:
            continue
        if rim[2] > 0.0 and o[2] < 0.0:
            t = -o[2] / d[2]
            x, y = o[0] + t * d[0] - rim[0], o[1] + t * d[1] - rim[1]
            if x * x + y * y > rim[2] * rim[2]:
                continue
        seen += facing * lit_through(o, d, prims, bounds, near, skip)
    seen *= _window(o[0] - lamp[0] / lamp[2] * o[2], o[1] - lamp[1] / lamp[2] * o[2], lamp) / samples
    out = np.empty(3)
    for k in range(3):
        out[k] = lamp[3 + k] * seen + ambient[k] * ao * (0.55 + 0.45 * n[2])
    return out


@njit(cache=True)
def openness(o, n, prims, near, skip):
    """Share of the sky that the pawns around leave free."""
    free = 1.0
    for m in near:
        if m < 0:
            break
        if m == skip:
            continue
        p = prims[m]
        if p[0] == CARD:
            continue
        z = min(max(o[2], min(p[3], p[6])), max(p[3], p[6])) if p[0] == CAPSULE else p[3]
        x, y = p[1] - o[0], p[2] - o[1]
        if p[0] == CAPSULE:
            x, y = 0.5 * (p[1] + p[4]) - o[0], 0.5 * (p[2] + p[5]) - o[1]
        z = max(z, p[7]) - o[2]
        d2 = x * x + y * y + z * z
        if d2 > 30 * p[7] * p[7] or d2 < 1e-6:
            continue
        d = np.sqrt(d2)
        facing = (n[0] * x + n[1] * y + n[2] * z) / d
        free *= 1.0 - 0.85 * max(0.0, 0.25 + 0.75 * facing) * min(1.0, p[7] * p[7] / d2)
    return free
