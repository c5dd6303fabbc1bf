"""A few games of the leak study: no route, stream, refusal or log tells a card to anybody but its owner."""

import pytest

from tests.studies.hand_leaks import Evening, crawl

pytestmark = pytest.mark.whole


def test_no_card_reaches_anybody_but_its_owner() -> None:
    found = crawl(3, first_seed=1000)
    assert found.leaks == []
    assert set(found.answers) == {"player", "host", "guest", "taker", "questions", "photos"}
    assert sum(found.changes.values()) == 3


def test_the_crawl_would_notice_a_card(tmp_path_factory: pytest.TempPathFactory) -> None:
    evening = Evening(tmp_path_factory.mktemp("evening"), 1)
    evening.secret = {"KS", "10H"}
    for text, leaks in (
        ('{"card":"KS"}', 1),
        ("Anna holds 10H and KS.", 2),
        ("AKS 10HH", 0),
    ):
        evening.found.leaks.clear()
        evening.search("here", text, set())
        assert len(evening.found.leaks) == leaks, text
    evening.table.stop()
