"""A feature: everything that one optional part brings to the page, as one value."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint

from tock_rules import Seat
from tock_web.services import PageServices


def reserves_nothing(_services: PageServices, _seat: Seat) -> str | None:
    """Keep no seat free."""
    return None


@dataclass(frozen=True, slots=True)
class Feature:
    """An optional part of the page; the page names its features in `tock_web.features` alone."""

    blueprints: tuple[Blueprint, ...]
    host_words: tuple[str, ...] = ()
    """Prefixes of words that only the host's pages use."""
    later_words: tuple[str, ...] = ()
    """Prefixes of words that come with a script fetched later."""
    reserved_for: Callable[[PageServices, Seat], str | None] = reserves_nothing
    """The name of the person for whom a seat is kept free, empty if unknown; None for a seat that is free to all."""
