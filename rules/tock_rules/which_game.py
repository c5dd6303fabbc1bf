"""Which game a family plays: seven questions, whose answers come from the games themselves.

An answer is a word as the options of `own_rules` have it, so a game that other answers contradict can be bent to them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tock_rules.card_actions import CARD_SWITCHES, row_of
from tock_rules.errors import BadInputError
from tock_rules.own_rules import CARDS, DEAL, PASS, actions_of, actions_text
from tock_rules.ruleset import Ruleset
from tock_rules.switches import Value

TOPICS = ("card_a", "card_j", "card_k", "card_5", "card_7", DEAL, PASS)
HARDEST = "card_7"
UNKNOWN = "?"
"""The answer of a family that does not know: it tells no games apart, and is not asked for again."""
Answers = Mapping[str, str]
_PASSING_SWITCHES = ("passing",)
_DEAL_SWITCHES = ("dealing", "hand_size", "deal_5_4_4", "draw_after_card")


@dataclass(frozen=True)
class Found:
    """The games that contradict the fewest answers, and the question that tells them apart best."""

    games: tuple[Ruleset, ...]
    contradicted: int
    """Answers that even these games contradict."""
    question: str | None
    """A topic; None where no question tells them apart."""


@dataclass(frozen=True)
class Bent:
    """A game made to agree with answers."""

    options: Mapping[str, Value]
    left: tuple[str, ...]
    """Topics in which the game cannot be changed so far."""


def answer_of(rules: Ruleset, topic: str) -> str:
    """The answer of a game to one question: its rule, where that can be seen."""
    text = rule_of(rules, topic)
    return (
        actions_text(tuple(_shortened(rules, action) for action in actions_of(text)))
        if topic in CARDS
        else text
    )


def rule_of(rules: Ruleset, topic: str) -> str:
    """The actions of a card, the deal or the passing, as an option of `own_rules` has them."""
    if topic == DEAL:
        return _deal_text(rules)
    if topic == PASS:
        return _passing_text(rules)
    return actions_text(row_of(rules.cards, CARDS[topic]))


def _deal_text(rules: Ruleset) -> str:
    """The deal in one word; of games that deal by the number of players, the one for four."""
    if rules.dealing == "keep_hand":
        return f"keep-{rules.hand_size}"
    if rules.dealing == "descending":
        return f"down-{rules.hand_size}{'-4-4' if rules.deal_5_4_4 else ''}"
    hands = rules.hands.get("4") or rules.hands.get("all") or next(iter(rules.hands.values()), ())
    return "-".join(map(str, hands)) + ("-on" if rules.pack_goes_on else "")


def _passing_text(rules: Ruleset) -> str:
    """Which pawns may be passed: a key of `own_rules.PASSING`."""
    if rules.passing == "forbidden":
        return "never"
    return "free" if rules.own_pawns == "free" else "not_own"


def _shortened(rules: Ruleset, action: str) -> str:
    """A shared seven without words that change nothing a family would notice."""
    first, *words = action.split()
    limits = [word for word in words if word.startswith("pawns=") and int(word[6:]) < rules.pawns_per_seat]
    mates = ["mate_rest"] if "mate_rest" in words and rules.teams != "individual" else []
    return " ".join([first, *limits, *mates])


def find(games: Sequence[Ruleset], given: Answers) -> Found:
    """The games nearest to these answers, in their order."""
    wrong = [_contradicted(rules, given) for rules in games]
    fewest = min(wrong)
    nearest = tuple(rules for rules, count in zip(games, wrong, strict=True) if count == fewest)
    return Found(nearest, fewest, _most_telling(nearest, given))


def _contradicted(rules: Ruleset, given: Answers) -> int:
    return sum(answer not in (UNKNOWN, answer_of(rules, topic)) for topic, answer in given.items())


def _most_telling(games: Sequence[Ruleset], given: Answers) -> str | None:
    """The question after which the fewest games are left on average; the seven, the hardest to answer, last."""
    left: dict[str, int] = {}
    for topic in TOPICS:
        groups = Counter(answer_of(rules, topic) for rules in games)
        if topic not in given and len(groups) > 1:
            left[topic] = sum(count**2 for count in groups.values())
    return min(left, key=lambda topic: (topic == HARDEST, left[topic])) if left else None


def answers(games: Sequence[Ruleset], topic: str) -> tuple[str, ...]:
    """Every answer of these games to a question, the most frequent first."""
    return tuple(text for text, _ in Counter(answer_of(rules, topic) for rules in games).most_common())


def bend(rules: Ruleset, given: Answers) -> Bent:
    """The options with which a game agrees with the answers: its switches where they suffice."""
    options: dict[str, Value] = {}
    left: list[str] = []
    for topic, wanted in given.items():
        if wanted in (UNKNOWN, answer_of(rules.with_options(options), topic)):
            continue
        change = next(
            (c for c in _changes(rules, topic, wanted) if _agrees(rules, options | c, topic, wanted)), None
        )
        if change is None:
            left.append(topic)
        else:
            options |= change
    return Bent(options, tuple(left))


def _agrees(rules: Ruleset, options: Mapping[str, Value], topic: str, wanted: str) -> bool:
    try:
        return answer_of(rules.with_options(options), topic) == wanted
    except BadInputError:
        return False


def _changes(rules: Ruleset, topic: str, wanted: str) -> Iterator[dict[str, Value]]:
    switches = {DEAL: _DEAL_SWITCHES, PASS: _PASSING_SWITCHES}.get(topic) or tuple(
        switch for switch, (_, *cards) in CARD_SWITCHES.items() if CARDS[topic] in cards
    )
    for switch in switches:
        if switch in rules.options:
            yield from ({switch: value} for value in rules.options[switch].allowed)
    yield {topic: wanted}
