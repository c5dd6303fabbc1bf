"""A small ray tracer for training pictures: bowls, marbles, glass, pegs, hands and cards under lamps and sun.

Board coordinates in mm: x right, y down, z up from the wood. Colours are linear light, BGR. Needs numba, which
the companion itself does not.
"""

import numpy as np
from numba import njit

from vision.training.pictures.light import light_on, lit_through, openness, sky
from vision.training.pictures.shapes import CAPSULE, CARD, GLASS, MATT, SPHERE, SWIRL, dot, first_hit, near_of

COVER_ID = 100_000
"""Group of hands, cards and cups; pawns have the number of their hole."""


@njit(cache=True)
def _material(p, n):
    """The colour of a surface with a normal (ribbons of swirled marbles go by it)."""
    out = np.empty(3)
    share = 0.0
    if p[11] == SWIRL:
        phase = p[15]
        a = n[0] * np.cos(phase) + n[1] * np.sin(phase)
        b = (-n[0] * np.sin(phase) + n[1] * np.cos(phase)) * np.cos(2.3 * phase) + n[2] * np.sin(2.3 * phase)
        wave = np.sin((2.0 + np.floor(phase) % 3) * np.arctan2(b, a) + 3.0 * (n[2] + 0.5 * a) + 5.0 * phase)
        share = min(1.0, max(0.0, (wave - 0.75 * np.sin(7.7 * phase)) * 4.0 + 0.5))
    for k in range(3):
        out[k] = p[8 + k] * (1 - share) + p[12 + k] * share
    return out


@njit(cache=True)
def _texture(texture, x, y, scale, left, top):
    out = np.empty(3)
    u, v = (x - left) * scale - 0.5, (y - top) * scale - 0.5
    u = min(max(u, 0.0), texture.shape[1] - 1.001)
    v = min(max(v, 0.0), texture.shape[0] - 1.001)
    i, j = int(u), int(v)
    fu, fv = u - i, v - j
    for k in range(3):
        out[k] = (texture[j, i, k] * (1 - fu) + texture[j, i + 1, k] * fu) * (1 - fv) + (
            texture[j + 1, i, k] * (1 - fu) + texture[j + 1, i + 1, k] * fu
        ) * fv
    return out


@njit(cache=True)
def _bowl(h, x, y, d):
    """The point at which a ray that enters a hole meets its wall or floor, and the normal there."""
    start = np.array((x - h[0], y - h[1], 0.0))
    if h[4] == 0.0:
        # A cap of a ball: its middle lies above the wood.
        big = (h[2] ** 2 + h[3] ** 2) / (2 * h[3])
        start[2] = -(big - h[3])
        b = dot(start, d)
        inner = start + (-b + np.sqrt(max(0.0, b * b - dot(start, start) + big * big))) * d
        return np.array((h[0] + inner[0], h[1] + inner[1], inner[2] + big - h[3])), -inner / big
    a = d[0] ** 2 + d[1] ** 2
    b = start[0] * d[0] + start[1] * d[1]
    c = start[0] ** 2 + start[1] ** 2 - h[2] ** 2
    far = (-b + np.sqrt(max(0.0, b * b - a * c))) / max(a, 1e-9)
    normal = np.array((0.0, 0.0, 1.0))
    if far * -d[2] > h[3]:
        far = h[3] / -d[2]
    else:
        normal = np.array((-(start[0] + far * d[0]) / h[2], -(start[1] + far * d[1]) / h[2], 0.0))
    return np.array((x + far * d[0], y + far * d[1], far * d[2])), normal


@njit(cache=True)
def _ground(o, d, scene, jitter, samples):
    """The light that comes from board, bowl or table where a ray meets it (shape: [3])."""
    texture, table, size, holes, cells, gloss, lamp, ambient, prims, bounds, lists = scene
    t = -o[2] / d[2]
    x, y = o[0] + t * d[0], o[1] + t * d[1]
    point, normal = np.array((x, y, 1e-3)), np.array((0.0, 0.0, 1.0))
    rim = np.zeros(3)
    own = np.zeros(3)
    on_board = 0.0 <= x < size[0] and 0.0 <= y < size[1]
    bowl, ao = -1, 1.0
    if on_board:
        which = cells[int(y), int(x)]
        if which >= 0 and (x - holes[which, 0]) ** 2 + (y - holes[which, 1]) ** 2 < holes[which, 2] ** 2:
            bowl = which
    if bowl >= 0:
        h = holes[bowl]
        rim[0], rim[1], rim[2] = h[0], h[1], h[2]
        own[:] = h[5:8]
        point, normal = _bowl(h, x, y, d)
        depth = -point[2] / h[2]
        ao = 1.0 / (1.0 + 0.9 * depth + 0.8 * depth * depth)
        point += 1e-3 * normal
        if h[8] > 0.0 and point[2] > -0.35 * h[2]:
            own[:] = h[9:12]
    elif on_board:
        own = _texture(texture, x, y, 3.0, 0.0, 0.0)
    else:
        own = _texture(table, x, y, 0.8, -1.0 * size[0], -1.0 * size[1])
    near = near_of(lists, x, y, size)
    ao *= openness(point, normal, prims, near, -1)
    lit = light_on(point, normal, ao, lamp, ambient, prims, bounds, near, -1, rim, samples, jitter)
    out = np.empty(3)
    for k in range(3):
        # In a bowl light goes to and fro.
        out[k] = own[k] * lit[k] * (1.0 + (0.5 * own[k] if bowl >= 0 else 0.0))
    if on_board:
        r = d - 2 * dot(d, normal) * normal
        shine = sky(r, lamp, ambient, 0.35)
        weight = gloss * (0.04 + 0.5 * (1 - abs(dot(d, normal))) ** 4)
        for k in range(3):
            out[k] += weight * shine[k] * (1.0 if bowl < 0 else 0.4)
    return out


@njit(cache=True)
def _object(o, d, t, which, scene, jitter, samples):
    """The light that comes from a primitive (shape: [3])."""
    _, _, size, _, _, _, lamp, ambient, prims, bounds, lists = scene
    p = prims[which]
    hit = o + t * d
    if p[0] == SPHERE:
        n = (hit - p[1:4]) / p[7]
    elif p[0] == CAPSULE:
        axis = p[4:7] - p[1:4]
        s = min(1.0, max(0.0, dot(hit - p[1:4], axis) / dot(axis, axis)))
        n = (hit - p[1:4] - s * axis) / p[7]
    else:
        n = np.array((0.0, 0.0, 1.0))
    own = _material(p, n)
    if p[0] == CARD:
        _ink(p, hit, own)
    point = hit + 1e-3 * n
    near = near_of(lists, hit[0], hit[1], size)
    ao = openness(point, n, prims, near, which) * (
        1.0 if p[0] == CARD else 0.55 + 0.45 * min(1.0, hit[2] / 8.0 + 0.2)
    )
    lit = light_on(point, n, ao, lamp, ambient, prims, bounds, near, which, np.zeros(3), samples, jitter)
    facing = -dot(d, n)
    mirror = 0.04 + 0.96 * (1 - max(0.0, facing)) ** 5
    rough = 0.03 if p[11] != MATT else 0.3
    strength = 1.0 if p[11] != MATT else 0.35
    r = d + 2 * facing * n
    shine = sky(r, lamp, ambient, rough)
    if lit_through(point, r, prims, bounds, near, which) < 0.5:
        shine *= 0.15
    out = np.empty(3)
    if p[11] == GLASS and p[0] == SPHERE:
        inside = _through_glass(hit, d, n, p, scene, jitter)
        for k in range(3):
            out[k] = inside[k] * (1 - mirror) + mirror * shine[k]
        return out
    for k in range(3):
        out[k] = own[k] * lit[k] * (1 - mirror) + mirror * strength * shine[k]
    return out


@njit(cache=True)
def _ink(p, hit, own):
    cos, sin = np.cos(p[6]), np.sin(p[6])
    x, y = hit[0] - p[1], hit[1] - p[2]
    u, v = (x * cos + y * sin) / p[4], (-x * sin + y * cos) / p[5]
    mark = np.sin((3.0 + p[15]) * u + p[15]) * np.sin((5.0 + p[15]) * v - p[15])
    if (p[15] > 0.0 and mark > 0.62 and max(abs(u), abs(v)) < 0.8) or (abs(u) > 0.62 and v * u > 0.6):
        own[:] = p[12:15]


@njit(cache=True)
def _through_glass(hit, d, n, p, scene, jitter):
    """The light through a ball of glass with a coloured vane in it; none in one with a negative twist."""
    _, _, _, _, _, _, lamp, ambient, _, _, _ = scene
    ratio = 1 / 1.5
    cosine = -dot(d, n)
    bent = ratio * d + (ratio * cosine - np.sqrt(1 - ratio * ratio * (1 - cosine * cosine))) * n
    length = -2 * dot(bent, n) * p[7]
    leave = hit + length * bent
    m = (leave - p[1:4]) / p[7]
    outward = dot(bent, m)
    root = 1 - 2.25 * (1 - outward * outward)
    onward = 1.5 * bent + (np.sqrt(max(root, 0.0)) - 1.5 * outward) * m
    onward /= np.sqrt(dot(onward, onward))
    if onward[2] < -0.05 and leave[2] > 0.0:
        behind = _ground(leave, onward, scene, jitter, 1)
        behind *= 0.7
    else:
        behind = sky(onward, lamp, ambient, 0.3) * 0.5
    # Light that the ball gathers glows on the side away from the lamp.
    glow = max(0.0, -(m[0] * lamp[0] + m[1] * lamp[1] + m[2] * lamp[2])) ** 3
    phase = p[15]
    vane = 0.0
    for s in range(9):
        q = (hit + length * (s + 0.5) / 9 * bent - p[1:4]) / p[7]
        a = q[0] * np.cos(phase) + q[1] * np.sin(phase)
        b = -q[0] * np.sin(phase) + q[1] * np.cos(phase)
        if phase >= 0.0 and abs(a + 0.25 * np.sin(3 * b + 2 * phase)) < 0.22 and abs(b) < 0.8:
            vane += 0.16
    vane = min(1.0, vane)
    out = np.empty(3)
    for k in range(3):
        clear = behind[k] * (0.18 + 0.82 * p[8 + k])
        clear += glow * lamp[3 + k] * p[8 + k] * 0.9
        solid = p[8 + k] * (ambient[k] * 0.6 + lamp[3 + k] * 0.35)
        out[k] = clear * (1 - vane) + solid * vane
    return out


@njit(cache=True)
def trace(
    origin, rays, close, texture, table, size, holes, cells, gloss, lamp, ambient, prims, bounds, seen, lit, seed
):  # fmt: skip
    """The light of every pixel (shape: [h, w, 3]), coarsely where `close` is false.

    `seen` and `lit` name the primitives that matter for each cell of the plane, for the camera and for the light.
    """
    height, width = rays.shape[:2]
    light = np.empty((height, width, 3), np.float32)
    scene = (texture, table, size, holes, cells, gloss, lamp, ambient, prims, bounds, lit)
    np.random.seed(seed)
    for row in range(height):
        for column in range(width):
            if not close[row, column] and (row % 4 or column % 4):
                light[row, column] = light[row - row % 4, column - column % 4]
                continue
            d = rays[row, column]
            if d[2] > -0.02:
                light[row, column] = ambient
                continue
            down = -origin[2] / d[2]
            near = near_of(seen, origin[0] + down * d[0], origin[1] + down * d[1], size)
            t, which = first_hit(origin, d, prims, bounds, near)
            jitter = np.random.random()
            samples = 4 if close[row, column] else 1
            if which >= 0 and t < down:
                light[row, column] = _object(origin, d, t, which, scene, jitter, samples)
            else:
                light[row, column] = _ground(origin, d, scene, jitter, samples)
    return light
