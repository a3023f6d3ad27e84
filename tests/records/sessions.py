"""Random sessions of the digit games, with any options, bills or slips, letters, hidden numbers and agreed setups.

All choices come from one `random.Random`, so that Hypothesis can shrink them and a fuzz test can seed them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal, digits_in_play
from liarspoker.games.digits.hands import HIDDEN, ROWS
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import OPTIONS, DigitOptions, Rules
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.session import DigitGame, DigitSession
from liarspoker.records import document_of

GAME_IDS = tuple(row.id for row in catalogue.games() if row.family == "digits")
NAMES = ["Ann", "Bob", "Cyd", "Dot", "Eve", "", "Ann", 'Bob "8x8"', "Zoë", "O'Neil\\", "\t", "名前", "’", "#", "="]


@dataclass(frozen=True)
class Kept:
    """A session, its game and its players."""

    game: Any
    session: Any
    players: tuple[str, ...]

    @property
    def document(self) -> dict[str, Any]:
        """Its record."""
        return document_of(self.game, self.session, self.players)


def random_session(chance: Random, most_hands: int = 3) -> Kept:
    """Play up to `most_hands` hands of any digit game; the last may be unfinished."""
    found = DigitGame(presets()[chance.choice(GAME_IDS)])
    from_slips = found.preset.slips and chance.random() < 0.3
    options = random_options(chance, found, from_slips)
    # In the loose order, every bid is checked for legality: keep the ladder short.
    seats = chance.randint(2, 3) if options.loose_order else chance.choice([2, 2, 3, 3, 4, 5, 16])
    session = found.session(seats, options, from_slips)
    hands = chance.randint(1, most_hands)
    for hand in range(hands):
        session = random_hand(chance, session, to_the_end=hand < hands - 1 or chance.random() < 0.5)
    return Kept(found, session, tuple(chance.choice(NAMES) for _ in range(seats)))


def random_options(chance: Random, found: DigitGame, from_slips: bool) -> DigitOptions:
    """Return the game's options with about a third of them changed."""
    changes = {info.name: chance.choice(info.choices) for info in OPTIONS if chance.random() < 0.3}
    if from_slips:
        changes |= {"hand_size": 8, "symbols": 10}
    options: DigitOptions = found.options(changes)
    return options


def random_hand(chance: Random, session: DigitSession, to_the_end: bool) -> DigitSession:
    """Return `session` after one more hand, or part of one."""
    rules = session.setup.rules
    deal = random_deal(chance, session)
    redrawn = session.setup.options.first_opener_tie == "redraw" and not session.rounds_played
    opener = chance.randrange(rules.seats) if redrawn or chance.random() < 0.2 else None
    stake = chance.choice([1, 2, 7, 10**30]) if chance.random() < 0.2 else None
    dealt = session.deal(deal, RoundSetup(opener=opener, stake=stake))
    assert dealt.round is not None
    actions = random_actions(chance, seen_through(dealt), to_the_end)
    final = digit_of(max([action for action in actions if action >= 0][-1:], default=0), rules)
    deal = replace(deal, counts=random_counts(chance, dealt.round.numbers, final, rules))
    later = session.deal(deal, RoundSetup(opener=opener, stake=stake))
    for action in actions:
        later = later.apply(action)
    return later


def random_deal(chance: Random, session: DigitSession) -> DigitDeal:
    """Return a deal for the next hand with some digits hidden, but never the last digit of a slip's number."""
    spec, rules = session.chance_spec(), session.setup.rules
    pool = digits_in_play(rules)
    if chance.random() < 0.5:
        pool = "".join(chance.choice(pool) for _ in range(3))
    if chance.random() < 0.3:
        pool += HIDDEN
    shown = pool.replace(HIDDEN, "")

    def number(last: str) -> str:
        return "".join(chance.choice(pool) for _ in range(rules.hand_size - 1)) + chance.choice(last)

    letters = tuple(chance.choice("ABL") + chance.choice("AY*") for _ in range(rules.seats))
    return DigitDeal(
        numbers=tuple(number(pool) for _ in range(rules.seats)) if spec.numbers else (),
        slips=tuple(tuple(number(shown) for _ in range(ROWS)) for _ in range(rules.seats)) if spec.slips else (),
        letters=letters if spec.letters and chance.random() < 0.5 else (),
    )


def random_actions(chance: Random, session: DigitSession, to_the_end: bool) -> list[int]:
    """Return legal actions, usually challenges and slightly stronger bids."""
    actions: list[int] = []
    while session.in_play and (to_the_end or chance.random() < 0.85):
        legal = session.legal()
        bids = legal.claims if len(actions) < 30 or not legal.answers else ()
        if bids and (not legal.answers or chance.random() < 0.4):
            highest = len(bids) if chance.random() < 0.1 else min(10, len(bids))
            actions.append(bids[chance.randrange(highest)])
        else:
            actions.append(chance.choice(legal.answers))
        session = session.apply(actions[-1])
    return actions


def seen_through(session: DigitSession) -> DigitSession:
    """Return the same hand with each hidden digit replaced, so that it can be counted."""
    assert session.round is not None
    lowest = digits_in_play(session.setup.rules)[0]
    numbers = tuple(number.replace(HIDDEN, lowest) for number in session.round.numbers)
    return replace(session, round=replace(session.round, numbers=numbers))


def random_counts(chance: Random, numbers: tuple[str, ...], digit: int, rules: Rules) -> tuple[int, ...] | None:
    """Return counts that the numbers allow; sometimes `None` if no digit is hidden."""
    hidden = [number.count(HIDDEN) for number in numbers]
    if not any(hidden) and chance.random() < 0.9:
        return None
    return tuple(
        number.count(str(digit)) + chance.randint(0, most) for number, most in zip(numbers, hidden, strict=True)
    )


@st.composite
def kept_sessions(draw: st.DrawFn, most_hands: int = 3) -> Kept:
    """Draw a `random_session` with randomness from Hypothesis."""
    return random_session(draw(st.randoms(use_true_random=False)), most_hands)
