"""Rounds played in one line, for tests that read as the documents do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes import game as pooled
from liarspoker.games.queen_annes.deal import PooledDeal
from liarspoker.games.queen_annes.options import PooledRules
from liarspoker.games.queen_annes.options import packed as pooled_rules
from liarspoker.games.queen_annes.result import PooledResult
from liarspoker.games.queen_annes.session import PooledSession
from liarspoker.games.thorin import game as passed
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.deal import PassedDeal
from liarspoker.games.thorin.options import PassedRules
from liarspoker.games.thorin.options import packed as passed_rules
from liarspoker.games.thorin.result import PassedResult
from liarspoker.games.thorin.session import PassedSession

POOLED_IDS = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
Cards = tuple[int, ...]


def cards(text: str) -> Cards:
    """Cards written together or apart."""
    return read_joined_cards(text.replace(" ", ""))


def thorin(seats: int, **options: object) -> PassedSession:
    """A match of Thorin's game before its first round."""
    found = passed.game(catalogue.row("thorin"))
    return found.session(seats, found.options(options))


def thorin_rules(**options: object) -> PassedRules:
    return passed_rules(passed.game(catalogue.row("thorin")).options(options), seats=4)


def queen_annes(game_id: str, seats: int, losses: Sequence[int] | None = None, /, **options: object) -> PooledSession:
    """A match of one of Queen Anne's games before its first round."""
    found = pooled.game(catalogue.row(game_id))
    return found.session(seats, found.options(options), losses=losses)


def queen_annes_rules(game_id: str = "queen-annes", seats: int = 4, **options: object) -> PooledRules:
    found = pooled.game(catalogue.row(game_id))
    return pooled_rules(found.options(options), found.row.dealing, seats)


def pass_on(session: PassedSession, actions: str) -> PassedSession:
    """The session after `actions`, in the notation, with commas between them."""
    for text in filter(None, map(str.strip, actions.split(","))):
        session = session.apply(session.read(text))
    return session


def hand_on(session: PassedSession, deck: str | None, actions: str = "", opener: int | None = None) -> PassedSession:
    """The session after one more round (or the beginning of one) of Thorin's game."""
    deal = PassedDeal() if deck is None else PassedDeal(cards(deck))
    return pass_on(session.deal(deal, RoundSetup(opener)), actions)


def name_on(session: PooledSession, actions: str) -> PooledSession:
    """The session after `actions`; what is no challenge is a claim."""
    for text in filter(None, map(str.strip, actions.split(","))):
        written = text if text.startswith("challenge") else f"claim {text}"
        session = session.apply(session.read(written))
    return session


def throw_in(
    session: PooledSession, hands: str, actions: str = "", extras: str = "", opener: int | None = None
) -> PooledSession:
    """The session after one more round of a pooled game; hands are parted by strokes."""
    deal = PooledDeal(tuple(cards(hand) for hand in hands.split("|")), cards(extras))
    return name_on(session.deal(deal, RoundSetup(opener)), actions)


def passed_result(session: PassedSession) -> PassedResult:
    result = session.round_result
    assert result is not None
    return result


def pooled_result(session: PooledSession) -> PooledResult:
    result = session.round_result
    assert result is not None
    return result


def code_of(session: PassedSession | PooledSession, text: str) -> str:
    """The code with which `text` is refused; `legal` if it is not."""
    try:
        session.apply(session.read(text))
    except IllegalAction as refused:
        return refused.code
    return "legal"


def any_move(session: PassedSession | PooledSession, chance: Random, boldness: float = 0.8) -> int:
    """A legal action: mostly on with the round, among the lowest claims."""
    legal = session.legal()
    if not legal.answers:
        return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 800))]
    if legal.claims and chance.random() < boldness:
        return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 800))]
    onward = [action for action in legal.answers if action in (TAKE, PASS)]
    return chance.choice(onward if onward and chance.random() < boldness else legal.answers)


def all_cards(session: PassedSession) -> list[int]:
    """Every card of the deck, wherever it is now."""
    assert session.round is not None
    stock = session.round.stock
    assert stock.deck is not None
    return sorted((*session.round.hand, *stock.thrown, *stock.deck[stock.position : stock.end]))
