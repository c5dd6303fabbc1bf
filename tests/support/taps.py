"""A family at the page, whose taps are counted."""

from playwright.sync_api import Locator, Page

from tests.support.browsing import PIXEL, OpenPage, drag, live


class Household:
    """Counts every tap and every drag of a family."""

    def __init__(self, url: str, open_page: OpenPage) -> None:
        self.url, self.taps = url, 0
        self._open_page = open_page

    def phone(self) -> Page:
        """A phone that the code has led to the start page."""
        return self._open_page(f"{self.url}/", PIXEL)

    def seated(self, name: str, seat: str) -> Page:
        """A phone whose person has sat down."""
        phone = self.phone()
        self.sit(phone, name, seat)
        return phone

    def tap(self, target: Locator) -> None:
        self.taps += 1
        target.tap()

    def choose(self, target: Locator, value: str) -> None:
        """Pick one of a list: a tap opens it, a tap picks."""
        self.taps += 2
        target.select_option(value)

    def sit(self, page: Page, name: str, seat: str) -> None:
        """Sit down as a person does: the code has opened the page."""
        self.tap(page.get_by_test_id("join-name"))
        page.keyboard.type(name)
        self.tap(page.get_by_test_id(f"join-seat-{seat}"))
        self.tap(page.get_by_test_id("join-enter"))
        page.wait_for_url("**/seat")
        live(page)

    def drag(self, page: Page, source: str, target: str) -> None:
        self.taps += 1
        drag(page, source, target)
