"""The field of a cylinder magnetised along its axis, in closed form.

N. Derby, S. Olbert, "Cylindrical magnets and ideal solenoids", Am. J. Phys. 78 (2010), 229; the generalised elliptic
integral by R. Bulirsch, Numer. Math. 7 (1965), 78.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from tock_hardware.catalog import Magnet

Floats = npt.NDArray[np.float64]
TOLERANCE: Final = 1e-10


def cel(kc: Floats, p: Floats, c: Floats, s: Floats) -> Floats:
    """Compute Bulirsch's complete elliptic integral for `kc` and `p` above 0, elementwise."""
    k = np.abs(kc)
    pp = np.sqrt(p)
    cc, ss = c, s / pp
    f = cc
    cc = cc + ss / pp
    g = k / pp
    ss = 2 * (ss + f * g)
    pp = g + pp
    g = em = np.ones_like(k)
    em = em + k
    kk = k
    while np.any(np.abs(g - k) > g * TOLERANCE):
        k = 2 * np.sqrt(kk)
        kk = k * em
        f = cc
        cc = cc + ss / pp
        g = kk / pp
        ss = 2 * (ss + f * g)
        pp = g + pp
        g = em
        em = k + em
    return np.asarray(np.pi / 2 * (ss + cc * em) / (em * (em + pp)), dtype=np.float64)


def axial_mt(magnet: Magnet, remanence_t: float, beside_mm: object, below_mm: object) -> Floats:
    """Compute the axial field in millitesla at a distance off the axis and below the magnet's lower face."""
    rho = np.atleast_1d(np.asarray(beside_mm, dtype=np.float64))
    z = np.atleast_1d(np.asarray(below_mm, dtype=np.float64)) + magnet.length_mm / 2
    rho, z = np.broadcast_arrays(rho, z)
    a, b = magnet.diameter_mm / 2, magnet.length_mm / 2
    # At the very rim the formula has no value; a micrometre aside it has.
    rho = np.where(np.abs(rho - a) < 1e-3, a + 1e-3, np.abs(rho))
    total = np.zeros_like(rho)
    gamma = (a - rho) / (a + rho)
    for end, sign in ((z + b, 1.0), (z - b, -1.0)):
        root = np.sqrt(end**2 + (rho + a) ** 2)
        beta = end / root
        kc = np.sqrt((end**2 + (a - rho) ** 2) / (end**2 + (a + rho) ** 2))
        total += sign * beta * cel(kc, gamma**2, np.ones_like(rho), gamma)
    return np.asarray(1000 * remanence_t / np.pi * a / (a + rho) * total, dtype=np.float64)


FLUX_DISTANCE_MM: Final = 0.38
"""Distance from the pole at which the toy standards (EN 71-1, ASTM F963) measure."""
TOY_LIMIT: Final = 50.0
"""kG²mm² (0.5 T²mm²): Canada's Toys Regulations SOR/2018-138, section 43, for magnets that a child could swallow."""


def flux_index(magnet: Magnet) -> float:
    """Compute the magnetic flux index in kG²mm² of the strongest magnet of the grade."""
    field = float(axial_mt(magnet, magnet.remanence_t[1], 0.0, FLUX_DISTANCE_MM)[0])
    area = np.pi * magnet.diameter_mm**2 / 4
    return float((field / 100) ** 2 * area)
