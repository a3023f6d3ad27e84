"""Random tables, deals and hands of the digit games, for Hypothesis.

Actions lean towards challenges, so that auctions end and rebids occur within a handful of moves; numbers lean towards
few different digits, so that skunks and heroes turn up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitDeal, digits_in_play
from liarspoker.games.digits.hands import ROWS
from liarspoker.games.digits.options import BY_NAME, OPTIONS, DigitOptions
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import GAME_IDS, study, table

large = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
)
"""For histories: they are some hundred draws, and that Hypothesis finds them large is no fault of the rules."""

MOST_MOVES = 40
"""After so many moves of a hand everybody challenges and the bidder counts, unless a test wants it shorter."""


@st.composite
def any_options(draw: st.DrawFn, /, **fixed: object) -> DigitOptions:
    """Options of every kind, `fixed` ones apart; hands of eight digits of ten half of the time."""
    chosen: dict[str, object] = {info.name: draw(st.sampled_from(info.choices)) for info in OPTIONS}
    if draw(st.booleans()):
        chosen |= {"hand_size": 8, "symbols": 10}
    return DigitOptions().with_values(chosen | fixed)


def seats() -> st.SearchStrategy[int]:
    """Two to sixteen players, mostly two to five."""
    return st.one_of(st.integers(2, 5), st.integers(2, 16))


@st.composite
def numbers_for(draw: st.DrawFn, session: DigitSession) -> tuple[str, ...]:
    """One number a seat."""
    rules = session.setup.rules
    pool = digits_in_play(rules)
    if draw(st.booleans()):
        pool = "".join(draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3, unique=True)))
    number = st.text(pool, min_size=rules.hand_size, max_size=rules.hand_size)
    return tuple(draw(number) for _ in range(rules.seats))


@st.composite
def slips_for(draw: st.DrawFn, session: DigitSession, slips: int = 1) -> tuple[tuple[str, ...], ...]:
    """One column of numbers a seat."""
    chance = draw(st.randoms(use_true_random=False))
    return tuple(
        tuple(f"{chance.randrange(10**8):08d}" for _ in range(slips * ROWS)) for _ in range(session.setup.rules.seats)
    )


@st.composite
def an_action(draw: st.DrawFn, session: DigitSession) -> int:
    """A legal action of a hand in play: mostly a challenge or a count, else mostly a bid not much higher."""
    legal = session.legal()
    if legal.answers and (not legal.claims or draw(st.integers(0, 9)) < 6):
        return legal.answers[0]
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(legal.claims))
    return legal.claims[draw(st.integers(0, min(9, len(legal.claims) - 1)))]


def ending(session: DigitSession) -> int:
    """The action that brings a hand to its end soonest."""
    legal = session.legal()
    return legal.answers[0] if legal.answers else legal.claims[0]


@dataclass(frozen=True, repr=False)
class History:
    """A session as it went.

    Attributes:
        states: the session before its first deal and after every deal and action.
        hands: for each hand the deal, and the actions in order.
    """

    states: tuple[DigitSession, ...]
    hands: tuple[tuple[DigitDeal, tuple[int, ...]], ...]

    def __repr__(self) -> str:
        """What a person needs to play it again; the states themselves would fill a book."""
        setup = self.last.setup
        changes = setup.options.changes_from(setup.preset.options)
        hands = [([deal.numbers or deal.slips, *map(self.last.write, actions)]) for deal, actions in self.hands]
        return f"History({setup.game}, {self.last.seats} seats, {changes}, {hands})"

    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:
        """Hypothesis would print every field of a data class otherwise."""
        printer.text("..." if cycle else repr(self))

    @property
    def last(self) -> DigitSession:
        """The session as it stands at the end."""
        return self.states[-1]

    def steps(self) -> Iterator[tuple[DigitSession, int, DigitSession]]:
        """Every action, with the session before and after it."""
        for before, later in pairwise(self.states):
            if before.in_play:
                assert later.round is not None
                yield before, later.round.moves[-1][1], later


@st.composite
def histories(
    draw: st.DrawFn, session: DigitSession, hands: int = 1, *, to_the_end: bool = True, most_moves: int = MOST_MOVES
) -> History:
    """`hands` hands played on from `session`; the last perhaps not to its end."""
    states, record = [session], []
    for hand in range(hands):
        deal = draw_deal(draw, session)
        session = session.deal(deal)
        states.append(session)
        actions: list[int] = []
        while session.in_play:
            if not to_the_end and hand == hands - 1 and draw(st.integers(0, 9)) == 0:
                break
            actions.append(draw(an_action(session)) if len(actions) < most_moves else ending(session))
            session = session.apply(actions[-1])
            states.append(session)
        record.append((deal, tuple(actions)))
    return History(tuple(states), tuple(record))


def draw_deal(draw: st.DrawFn, session: DigitSession) -> DigitDeal:
    """What the next hand needs."""
    needs = session.chance_spec()
    if needs.numbers:
        return DigitDeal(numbers=draw(numbers_for(session)))
    return DigitDeal(slips=draw(slips_for(session)) if needs.slips else ())


@st.composite
def tables(draw: st.DrawFn, /, **fixed: object) -> DigitSession:
    """A session with bills before its first hand, of any options."""
    options = draw(any_options(**fixed))
    most = 4 if options.loose_order else 16
    return study(min(draw(seats()), most), options)


@st.composite
def preset_tables(draw: st.DrawFn) -> DigitSession:
    """A session of one of the three games as it stands, with bills."""
    return table(draw(st.sampled_from(GAME_IDS)), draw(seats()))


@st.composite
def slip_tables(draw: st.DrawFn, /, **fixed: object) -> DigitSession:
    """A session from slips before its first hand."""
    changes = {name: draw(st.sampled_from(BY_NAME[name].choices)) for name in ("next_opener", "reveal", "tenth_double")}
    game_id = draw(st.sampled_from(["salomon-1986", "slips"]))
    return table(game_id, draw(st.integers(2, 9)), True, **(changes | fixed))


@st.composite
def played(draw: st.DrawFn, /, hands: int = 1, *, to_the_end: bool = True, **fixed: object) -> History:
    """Hands of any options whatever, with bills."""
    return draw(histories(draw(tables(**fixed)), hands, to_the_end=to_the_end))


@st.composite
def played_from_slips(
    draw: st.DrawFn, /, hands: int, *, to_the_end: bool = True, most_moves: int = MOST_MOVES, **fixed: object
) -> History:
    """Hands from slips."""
    return draw(histories(draw(slip_tables(**fixed)), hands, to_the_end=to_the_end, most_moves=most_moves))


def with_numbers(session: DigitSession, numbers: tuple[str, ...]) -> DigitSession:
    """The same hand over other numbers: what nobody but chance could tell from this one, unless it leaks."""
    assert session.round is not None
    return replace(session, round=replace(session.round, numbers=numbers))


def is_answer(action: int) -> bool:
    """Whether `action` is no bid."""
    return action in (CHALLENGE, COUNT)
