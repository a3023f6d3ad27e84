"""Hidden numbers after the count and on slips; `tests/conformance` covers the time before the count."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given

from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS
from liarspoker.games.digits.session import DigitSession
from tests.conformance.evenings import Round, evening
from tests.rules.digits.plays import WITH_REBIDS, chances, play, random_table, round_of, table
from tests.untyped import untyped

Slips = tuple[tuple[str, ...], ...]


def replayed(rounds: list[Round], slips: Slips) -> DigitSession:
    """Return a session with the same actions on other slips."""
    session = untyped(rounds[0].before)
    for number, played in enumerate(rounds):
        session = session.deal(DigitDeal(slips=() if number else slips), played.setup)
        for move in played.moves:
            session = session.apply(move.action)
    return untyped(session)  # type: ignore[no-any-return]


@given(chances)
def test_views_do_not_depend_on_other_seats_rows_or_on_future_slips(chance: Random) -> None:
    game_id, options = chance.choice(WITH_REBIDS), {"reveal": chance.choice(("full", "counts", "on_request"))}
    empty = table(game_id, chance.randint(2, 5), True, **options)
    rounds = list(evening(empty, chance, chance.choice((1, 2, 3, 12)), to_the_end=False))
    session = untyped(rounds[-1].last)
    past = {hand.terms.hand // HANDS_PER_SLIP * ROWS + hand.terms.row for hand, _ in session.ledger.hands}
    for seat in range(session.seats):
        slips = tuple(
            tuple(
                kept if place in past or owner == seat else f"{chance.randrange(10**8):08d}"
                for place, kept in enumerate(rows)
            )
            + tuple(f"{chance.randrange(10**8):08d}" for _ in range(ROWS))
            for owner, rows in enumerate(session.ledger.slips)
        )
        view, other = session.view(seat), replayed(rounds, slips).view(seat)
        assert view == other
        assert repr(view) == repr(other)


@given(chances)
def test_a_count_shows_what_the_option_says_until_the_next_hand(chance: Random) -> None:
    for played in evening(random_table(chance), chance, 2):
        before, counted = untyped(played.moves[-1].before), untyped(played.last)
        numbers, reveal = round_of(counted).numbers, counted.setup.options.reveal
        asked = counted.show_numbers() if reveal == "on_request" else counted
        again = asked.deal(asked.chance_spec().draw(chance.randrange))
        for seat in (None, *range(counted.seats)):
            assert before.view(seat).shown == again.view(seat).shown == ()
            assert before.view(seat).result is None
            assert counted.view(seat).result == counted.round_result
            assert counted.view(seat).shown == (numbers if reveal == "full" else ())
            assert reveal != "on_request" or asked.view(seat).shown == numbers
        if reveal == "counts":
            # Shuffle every number: the counts are unchanged, and so must be what all others see.
            shuffled = tuple("".join(chance.sample(number, len(number))) for number in numbers)
            other = replace(before, round=replace(before.round, numbers=shuffled)).apply(played.moves[-1].action)
            assert other.view(None) == counted.view(None)


def test_a_view_has_no_field_for_another_seats_number_before_the_count() -> None:
    secrets = ("11111111", "22222222", "33333333")
    session = play(table("salomon-1986", 3), secrets, "2x5")
    for seat, secret in enumerate(secrets):
        assert not any(secret in repr(session.view(other)) for other in {0, 1, 2, None} - {seat})
