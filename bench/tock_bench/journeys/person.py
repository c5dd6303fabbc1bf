"""A person who finds the way by the words on a screen, and whose taps are counted."""

import re
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

SEARCH_MS = 120_000
"""Longest time for which a board may be searched on a crowded machine."""


@dataclass
class Taps:
    """The taps of a family."""

    number: int = 0


class Person:
    """A person with a screen; every control is found by a word that is read or said there."""

    def __init__(self, page: Page, taps: Taps) -> None:
        self.page, self._taps = page, taps

    def tap(self, words: str, *, exact: bool = False) -> None:
        """Tap the control with these words."""
        self._taps.number += 1
        self._control(words, exact=exact).tap()

    def type(self, field: str, text: str) -> None:
        """Tap a field and write into it."""
        self._taps.number += 1
        self.page.get_by_label(field).filter(visible=True).first.tap()
        self.page.keyboard.type(text)

    def choose(self, field: str, option: str) -> None:
        """Pick an option of a list in two taps."""
        self._taps.number += 2
        self.page.get_by_label(field).filter(visible=True).first.select_option(label=option)

    def photograph(self, words: str, *pictures: Path) -> None:
        """Tap the control that opens the phone's camera, once for each picture."""
        for picture in pictures:
            with self.page.expect_file_chooser() as chooser:
                self.tap(words)
            chooser.value.set_files(str(picture))

    def drag(self, source: str, target: str) -> None:
        """Drag a pawn of the simulated table from one named hole to another."""
        self._taps.number += 1
        self._hole(source).drag_to(self._hole(target))

    def drag_between(self, source: str, one: str, other: str) -> None:
        """Drop a pawn halfway between two holes."""
        self._carry(self._middle(source), self._between(one, other))

    def drag_from_between(self, one: str, other: str, target: str) -> None:
        """Take the pawn between two holes to a hole."""
        self._carry(self._between(one, other), self._middle(target))

    def _carry(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._taps.number += 1
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=5)
        mouse.up()

    def _between(self, one: str, other: str) -> tuple[float, float]:
        (x1, y1), (x2, y2) = self._middle(one), self._middle(other)
        return (x1 + x2) / 2, (y1 + y2) / 2

    def _middle(self, name: str) -> tuple[float, float]:
        box = self._hole(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def read(self, words: str, patience_ms: float | None = None) -> None:
        """Wait until these words are on the screen."""
        expect(self._text(words).first).to_be_visible(timeout=patience_ms)

    def find(self, pattern: str) -> str:
        """The first part of the readable text that has this form."""
        text = self.page.locator("body").inner_text()
        found = re.search(pattern, text)
        assert found is not None, f"nothing like {pattern} on the screen"
        return found[0]

    def miss(self, words: str, patience_ms: float | None = None) -> None:
        """Wait until these words have gone."""
        expect(self._text(words)).to_have_count(0, timeout=patience_ms)

    def sees(self, words: str) -> bool:
        """Whether a control with exactly these words is visible now."""
        return self._control(words, exact=True).is_visible()

    def _text(self, words: str) -> Locator:
        return self.page.get_by_text(words).filter(visible=True)

    def _control(self, words: str, *, exact: bool) -> Locator:
        found = self.page.get_by_role("button", name=words, exact=exact)
        found = found.or_(self.page.get_by_role("link", name=words, exact=exact))
        return found.or_(self.page.locator("summary", has_text=words)).filter(visible=True).first

    def _hole(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}\\s:")).first
