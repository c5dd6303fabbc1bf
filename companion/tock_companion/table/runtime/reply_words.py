"""The sentence that goes with a reply of the table."""

from tock_companion.core.requests import Reply
from tock_companion.language import Text
from tock_companion.views.fact_words import in_installed_languages
from tock_companion.views.names import Names
from tock_companion.views.terms import worded


def reply_words(reply: Reply, names: Names) -> Text | None:
    """The sentence of a refusal; None where the reply has nothing to say."""
    if reply.sentence is not None:
        return in_installed_languages(reply.sentence)
    return None if reply.ok else worded(f"refuse/{reply.code}", reply.params, names)
