"""A feature: everything that one optional part brings to the page, as one value."""

from dataclasses import dataclass

from flask import Blueprint


@dataclass(frozen=True, slots=True)
class Feature:
    """An optional part of the page; the page names its features in `tock_web.features` alone."""

    name: str
    """Of its page, if it has one, and of its folder of templates.

    Of these the host's page includes `host_panel.html`, `host_entry.html` and `host_sheet.html`.
    """
    blueprints: tuple[Blueprint, ...]
    host_words: tuple[str, ...] = ()
    """Prefixes of words that only the host's pages use."""
    later_words: tuple[str, ...] = ()
    """Prefixes of words that come with a script fetched later, except on the feature's own page."""

    def words_elsewhere(self, page: str) -> tuple[str, ...]:
        """Prefixes of words that a player's page does not bring."""
        return self.host_words if page == self.name else self.host_words + self.later_words
