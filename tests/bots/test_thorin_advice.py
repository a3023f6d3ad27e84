"""The Bluffer follows the advice of source 002, in positions constructed for each piece of advice.

For random choices, the tests count the results over many seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import cards_in, cards_text, full_deck, mask_of, read_joined_cards
from liarspoker.core.cards.hand_values import PAIR, STARTS, THREE, hand_value
from liarspoker.games.thorin.actions import CHALLENGE, TAKE, cards_of, discard_of
from liarspoker.games.thorin.bots import bluffer
from liarspoker.games.thorin.deal import HAND_CARDS, ThorinDeal
from liarspoker.games.thorin.draw_chances import best_keep, new_workspace
from liarspoker.games.thorin.draw_chances import improvable as how_improvable_at
from liarspoker.games.thorin.ladder import floor_of, full_claim, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.presets.thorin import PRESET
from liarspoker.games.thorin.session import ThorinGame, ThorinSession

THORIN = ThorinGame(PRESET)
SEEDS = range(120)
JUNK = "9c8d6h4s2c"
WORKSPACE = new_workspace(THORIN.session(2).setup.rules)


def after(hand: str, *moves: str, players: int, stock: str = "") -> ThorinSession:
    """Return a round that the opener begins with `hand`, after these moves."""
    session = THORIN.session(players).deal(ThorinDeal(deck=read_joined_cards(hand + stock)))
    for move in moves:
        session = session.apply(session.read(move))
    return session


def answers(session: ThorinSession, seeds: Sequence[int] = SEEDS) -> Counter[int]:
    """Count the Bluffer's answers in a position over many seeds."""
    assert session.to_act is not None
    view = session.view(session.to_act)
    return Counter(bluffer(view, Random(seed)) for seed in seeds)


def share(found: Counter[int], actions: Iterable[int]) -> float:
    """Return the share of the seeds with one of these actions."""
    return sum(found[action] for action in set(actions)) / found.total()


def shuffled_but(hand: str, chance: Random) -> list[int]:
    """Return the rest of the deck in random order."""
    rest = [card for card in full_deck(0) if card not in read_joined_cards(hand)]
    chance.shuffle(rest)
    return rest


def improvable(value: int, rules: ThorinRules) -> float:
    """Return how likely a hand of this value is to be improved."""
    return how_improvable_at(value, WORKSPACE)


def how_improvable(session: ThorinSession, claim: int) -> float:
    """Return how likely the promise of a claim is to be improved."""
    return improvable(floor_of(claim), session.setup.rules)


def played_out(session: ThorinSession, chance: Random) -> list[tuple[int, int]]:
    """Return the answers of a table of Bluffers until the round ends, each with the declaration that it answers."""
    found = []
    while session.in_play:
        assert session.to_act is not None
        view = session.view(session.to_act)
        action = bluffer(view, chance)
        if action in (TAKE, CHALLENGE) and view.state is not None:
            found.append((action, view.state.claim))
        session = session.apply(action)
    return found


@pytest.mark.parametrize(
    ("hard", "easy"), [("three 4AK", "three 4"), ("two-pair AKQ", "two-pair"), ("straight", "pair")]
)
def test_a_hand_that_is_hard_to_improve_is_challenged(hard: str, easy: str) -> None:
    for players in range(2, 9):
        found = [answers(after("4c4d4hAsKc", f"declare {one}", players=players), range(50)) for one in (hard, easy)]
        assert [set(actions) for actions in found] == [{CHALLENGE}, {TAKE}]


@given(players=st.integers(2, 8), value=st.integers(1, STARTS[THREE + 1] - 1))
def test_an_opening_is_challenged_only_if_it_is_hard_to_improve(players: int, value: int) -> None:
    session = THORIN.session(players).deal(ThorinDeal(deck=read_joined_cards(JUNK))).apply(full_claim(value))
    chance = improvable(value, session.setup.rules)
    if chance >= 0.9:
        assert set(answers(session, range(3))) == {TAKE}
    if chance <= 0.1 and value >= STARTS[PAIR]:
        assert set(answers(session, range(3))) == {CHALLENGE}


@pytest.mark.parametrize("hand", ["TcTd5h5s2s", "8c8d8h5s2c"])
@pytest.mark.parametrize("players", [2, 4, 8])
def test_a_weaker_but_less_improvable_hand_is_declared(hand: str, players: int) -> None:
    session = after(hand, players=players)
    mine = hand_value(read_joined_cards(hand))
    found = answers(session)
    worse = [claim for claim in found if floor_of(claim) < mine]
    harder = [claim for claim in worse if how_improvable(session, claim) < improvable(mine, session.setup.rules) / 2]
    assert 0.2 < share(found, harder) < 1  # sometimes it bluffs, and sometimes it is honest
    assert full_claim(mine) in found


def test_tens_over_fives_are_declared_as_a_pair_of_tens_with_the_best_kickers() -> None:
    session = after("TcTd5h5s2s", players=8)
    found = answers(session, range(240))
    tens = [claim for claim in found if session.write(claim).startswith("declare pair TA")]
    assert share(found, tens) > 0.02


def bluffs(session: ThorinSession) -> float:
    """Return how often a player with `JUNK` opens with a pair or more that is easily improved."""
    found = answers(session)
    lies = (claim for claim in found if floor_of(claim) >= STARTS[PAIR] and how_improvable(session, claim) > 0.9)
    return share(found, lies)


def test_a_bluff_comes_early_when_its_target_sits_several_seats_away() -> None:
    near, *far = (bluffs(after(JUNK, players=players)) for players in (3, 4, 6, 10))
    assert min(far) > near + 0.05


@pytest.mark.parametrize("players", [4, 6, 8])
def test_an_early_bluff_is_taken_by_the_next_player(players: int) -> None:
    session = after(JUNK, players=players)
    for claim in answers(session):
        if floor_of(claim) >= STARTS[PAIR]:
            assert set(answers(session.apply(claim), range(3))) == {TAKE}


def test_a_bluff_is_passed_on_until_it_can_hardly_be_improved() -> None:
    rounds = []
    for seed in range(30):
        bluff = after(JUNK, "declare pair 5", players=6, stock=cards_text(shuffled_but(JUNK, Random(seed))))
        rounds.append([(action, how_improvable(bluff, claim)) for action, claim in played_out(bluff, Random(seed))])
    taken = [chance for answered in rounds for action, chance in answered if action == TAKE]
    assert all(answered[-1][0] == CHALLENGE for answered in rounds)
    assert mean(answered[-1][1] for answered in rounds) < mean(taken) - 0.1
    assert mean(len(answered) > 2 for answered in rounds) > 0.5  # the hand reached a player several seats away


@pytest.mark.parametrize(
    ("declared", "hand", "of_set", "players"),
    [
        ("pair T", "TcTd9h4s2c", "T", 3),
        ("three 7", "7c7d7h4s2c", "7", 4),
        ("two-pair T5", "TcTd5h5d2s", "T", 5),
    ],
)
def test_a_set_may_be_broken_and_declared_with_better_kickers(
    declared: str, hand: str, of_set: str, players: int
) -> None:
    session = after(hand, f"declare {declared}", "take", players=players, stock="KsQh8d6s3h")
    before = session.view(1).floor
    found = answers(session)
    broken = [action for action in found if of_set in session.write(action).removeprefix("discard")]
    assert 0.02 < share(found, broken) < 0.3
    for action in broken:
        later = session.apply(action)
        assert hand_value(later.view(1).hand or ()) <= before  # its declarations are lies from now on
        for claim in answers(later, range(30)):
            assert session.write(claim).startswith(f"declare {declared}")
            assert floor_of(claim) > before


def test_a_player_who_broke_a_set_challenges_when_it_comes_back() -> None:
    moves = "declare pair T, take, discard 9h 4s 2c Tc, declare pair TAKQ, take, discard 3h, declare two-pair, take, "
    moves += "discard -, declare two-pair 54"
    session = after("TcTd9h4s2c", *moves.split(", "), players=3, stock="KsQh8d3h5d")
    assert session.to_act == 1
    assert set(answers(session, range(20))) == {CHALLENGE}


LIE = "declare two-pair JT2"
NINES = "9c9d6h4s2c"


def discarded(hand: str, players: int) -> float:
    """Return the mean number of cards that it discards of a hand that was declared as two pair and is weaker."""
    found = answers(after(hand, LIE, "take", players=players))
    return sum(len(cards_of(action)) * count for action, count in found.items()) / found.total()


def test_few_cards_are_discarded_after_taking_a_lie_and_fewer_with_more_players_left() -> None:
    session = after(JUNK, LIE, "take", players=4)
    least = next_value(session.view(1).floor, session.setup.rules)
    assert least is not None
    for hand in (JUNK, NINES):
        _, kept = best_keep(mask_of(read_joined_cards(hand)), least, WORKSPACE)
        # A player who hoped to improve the hand would discard more.
        assert discarded(hand, 6) < HAND_CARDS - cards_in(kept) - 1
    counts = [discarded(JUNK, players) for players in (2, 4, 8)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0] - 1


def taken(hand: str, discard: int) -> float:
    """Return how often the next Bluffer takes the Bluffer's lie after that discard."""
    session = after(hand, LIE, "take", players=5, stock="3c3d5hQs7s").apply(discard)
    mine = hand_value(session.view(1).hand or ())
    found = answers(session)
    assert all(floor_of(lie) > mine for lie in found)
    return sum(count for lie, count in found.items() if bluffer(session.apply(lie).view(2), Random(0)) == TAKE) / len(
        SEEDS
    )


def test_a_forced_bluff_fits_the_cards_discarded_for_it() -> None:
    (planned,) = answers(after(NINES, LIE, "take", players=5))
    assert taken(NINES, planned) > 0.5
    assert taken(NINES, discard_of(read_joined_cards(NINES))) < 0.1
