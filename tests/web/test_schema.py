"""One schema: what is sent, what is documented and what the page's scripts are checked against."""

from tock_web.generate import generated


def test_the_generated_files_are_those_of_the_types() -> None:
    stale = [str(path) for path, text in generated().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run `make api`"
