"""Somebody at a screen who finds the way by the words on it, and whose taps are counted."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.support.taps import Household

SEARCH_MS = 120_000
"""Longest time for which a board may be searched on a crowded machine."""


class Person:
    """One screen and whoever holds it: only words that can be read, or that a screen reader says, lead anywhere."""

    def __init__(self, page: Page, family: Household) -> None:
        self.page, self._family = page, family

    def tap(self, words: str, *, exact: bool = False) -> None:
        """Tap what bears these words."""
        self._family.taps += 1
        self._control(words, exact=exact).tap()

    def type(self, field: str, text: str) -> None:
        """Tap a field and write into it."""
        self._family.taps += 1
        self.page.get_by_label(field).filter(visible=True).first.tap()
        self.page.keyboard.type(text)

    def choose(self, field: str, option: str) -> None:
        """Pick one of a list: a tap opens it, a tap picks."""
        self._family.taps += 2
        self.page.get_by_label(field).filter(visible=True).first.select_option(label=option)

    def photograph(self, words: str, *pictures: Path) -> None:
        """Tap what opens the phone's camera, once for each picture; its own button is not counted."""
        for picture in pictures:
            with self.page.expect_file_chooser() as chooser:
                self.tap(words)
            chooser.value.set_files(str(picture))

    def drag(self, source: str, target: str) -> None:
        """Drag a pawn of the simulated table from one named hole to another."""
        self._family.taps += 1
        self._hole(source).drag_to(self._hole(target))

    def drag_between(self, source: str, one: str, other: str) -> None:
        """Drop a pawn halfway between two holes."""
        self._carry(self._middle(source), self._between(one, other))

    def drag_from_between(self, one: str, other: str, target: str) -> None:
        """Take the pawn that lies between two holes to a hole."""
        self._carry(self._between(one, other), self._middle(target))

    def _carry(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._family.taps += 1
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
        """Wait until these words stand on the screen."""
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
        """Whether something with exactly these words can be tapped now."""
        return self._control(words, exact=True).is_visible()

    def _text(self, words: str) -> Locator:
        return self.page.get_by_text(words).filter(visible=True)

    def _control(self, words: str, *, exact: bool) -> Locator:
        found = self.page.get_by_role("button", name=words, exact=exact)
        found = found.or_(self.page.get_by_role("link", name=words, exact=exact))
        return found.or_(self.page.locator("summary", has_text=words)).filter(visible=True).first

    def _hole(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(f"^{re.escape(name)}\\s:")).first
