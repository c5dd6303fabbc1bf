"""Solids as binary STL; the same solid always gives the same bytes."""

import struct

import numpy as np
import numpy.typing as npt
from manifold3d import Manifold

Triangles = npt.NDArray[np.float64]
"""n x 3 corners x 3 coordinates, millimetres."""
ROUNDING = 4


def triangles(body: Manifold) -> Triangles:
    """Order the surface, coordinates rounded, so that it depends on nothing but the shape."""
    mesh = body.to_mesh()
    corners = np.round(np.asarray(mesh.vert_properties, dtype=np.float64)[:, :3], ROUNDING) + 0.0
    found = []
    for triangle in np.asarray(mesh.tri_verts):
        points = [tuple(corners[corner]) for corner in triangle]
        if len(set(points)) == 3:
            first = points.index(min(points))
            found.append(points[first:] + points[:first])
    return np.array(sorted(found))


def to_stl(body: Manifold) -> bytes:
    """Write a binary STL file in millimetres."""
    surface = triangles(body)
    out = bytearray(b"Tock, millimetres".ljust(80) + struct.pack("<I", len(surface)))
    for triangle, normal in zip(surface, normals(surface), strict=True):
        out += struct.pack("<12fH", *normal, *triangle.ravel(), 0)
    return bytes(out)


def normals(surface: Triangles) -> Triangles:
    """Compute the outward normal of every triangle."""
    raw = np.cross(surface[:, 1] - surface[:, 0], surface[:, 2] - surface[:, 0])
    lengths = np.linalg.norm(raw, axis=1, keepdims=True)
    return np.asarray(np.round(raw / np.where(lengths > 0, lengths, 1), ROUNDING) + 0.0)
