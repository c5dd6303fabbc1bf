"""Points, tie-breaks and who comes before whom."""

from tests.support.tournaments import granted, opened
from tock_companion.tournament.decisions import begin_round, correct, pair, report
from tock_companion.tournament.facts import (
    Game,
    GameKey,
    Reporter,
    Result,
    RoundBegan,
    RoundPaired,
    SideScore,
)
from tock_companion.tournament.plan import Form, Plan
from tock_companion.tournament.standings import Criterion, halves_of, standings
from tock_companion.tournament.state import Tournament, after


def result(*homes: int, winner: int | None = None, distances: tuple[int | None, ...] = ()) -> Result:
    ways = distances or (None,) * len(homes)
    scores = tuple(SideScore(home, way) for home, way in zip(homes, ways, strict=True))
    return Result(f"{homes}{winner}{distances}", scores, winner, Reporter.TABLE)


def round_of(now: Tournament, *games: tuple[int, int], results: tuple[Result, ...]) -> Tournament:
    number = len(now.rounds) + 1
    paired = tuple(
        Game(GameKey(number, table), tuple((entrant,) for entrant in players))
        for table, players in enumerate(games, start=1)
    )
    now = after(after(now, RoundPaired(number, paired)), RoundBegan(number))
    for game, ending in zip(paired, results, strict=True):
        now = granted(now, report(now, game.key, ending))
    return now


def test_a_table_of_four_gives_three_two_one_and_none() -> None:
    ending = result(4, 3, 2, 2, winner=0, distances=(0, 10, 30, 40))
    assert [halves_of(ending, side) for side in range(4)] == [6, 4, 2, 0]


def test_when_time_is_up_pawns_count_and_then_the_way_to_go() -> None:
    assert [halves_of(result(2, 3), side) for side in range(2)] == [0, 2]
    assert [halves_of(result(2, 2, distances=(20, 30)), side) for side in range(2)] == [2, 0]
    assert [halves_of(result(2, 2, distances=(20, 20)), side) for side in range(2)] == [1, 1]
    assert [halves_of(result(2, 2, distances=(20, None)), side) for side in range(2)] == [1, 1]


def test_the_winner_is_before_whoever_has_as_many_pawns() -> None:
    assert [halves_of(result(4, 4, winner=1), side) for side in range(2)] == [0, 2]


def test_buchholz_then_direct_then_pawns_decide() -> None:
    now = opened(Plan("Club", seats=2), 4)
    now = round_of(now, (1, 2), (3, 4), results=(result(4, 3, winner=0), result(4, 1, winner=0)))
    now = round_of(now, (1, 3), (2, 4), results=(result(1, 4, winner=1), result(4, 0, winner=0)))
    rows = standings(now)
    assert [row.entrant for row in rows] == [3, 1, 2, 4]
    assert [row.halves for row in rows] == [4, 2, 2, 0]
    assert [row.before_next for row in rows] == [Criterion.POINTS, Criterion.BUCHHOLZ, Criterion.POINTS, None]
    now = round_of(now, (1, 4), (2, 3), results=(result(0, 4, winner=1), result(4, 0, winner=0)))
    # 2 and 3 have two points and have both met 1, 4 and each other: Buchholz is the same, and 2 won.
    rows = standings(now)
    assert [row.entrant for row in rows[:2]] == [2, 3]
    assert rows[0].before_next is Criterion.DIRECT


def test_equals_share_a_place() -> None:
    now = opened(Plan("Club", seats=2), 2)
    now = round_of(now, (1, 2), results=(result(2, 2),))
    rows = standings(now)
    assert [row.place for row in rows] == [1, 1]
    assert rows[0].before_next is Criterion.SHARED


def test_a_bye_counts_as_a_win_against_ones_equals() -> None:
    now = opened(Plan("Club", seats=2), 3)
    now = granted(now, pair(now))
    now = granted(now, begin_round(now))
    assert now.present_round is not None
    (out,) = now.present_round.byes
    row = next(row for row in standings(now) if row.entrant == out)
    assert (row.halves, row.buchholz, row.played) == (2, 2, 0)


def test_a_correction_replaces_a_result_and_its_reason_stays() -> None:
    now = opened(Plan("Club", seats=2), 2)
    now = round_of(now, (1, 2), results=(result(4, 2, winner=0),))
    assert standings(now)[0].entrant == 1
    now = granted(now, correct(now, GameKey(1, 1), result(2, 4, winner=1), "the wrong seat was written"))
    assert standings(now)[0].entrant == 2
    assert now.corrections[0].why == "the wrong seat was written"


def test_fixed_pairs_stand_as_one() -> None:
    now = opened(Plan("Club", Form.FIXED_PAIRS), 2)
    assert [now.entrants[row.entrant].name for row in standings(now)] == ["a1 & b1", "a2 & b2"]
