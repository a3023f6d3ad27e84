"""Rounds played in one line, for tests that read as the documents do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from liarspoker.core.cards.claims import read_spelling
from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.options import packed as pooled_rules
from liarspoker.games.queen_annes.presets import presets
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesGame, QueenAnnesSession
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.ladder import claim_of
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.options import packed as passed_rules
from liarspoker.games.thorin.presets.thorin import PRESET
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.session import ThorinGame, ThorinSession

POOLED_IDS = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
Cards = tuple[int, ...]
chances = st.integers(0, 2**32).map(Random)


def cards(text: str) -> Cards:
    """Cards written together or apart."""
    return read_joined_cards(text.replace(" ", ""))


def thorin(seats: int, **options: object) -> ThorinSession:
    """A match of Thorin's game before its first round."""
    found = ThorinGame(PRESET)
    return found.session(seats, found.options(options))


def thorin_rules(**options: object) -> ThorinRules:
    return passed_rules(ThorinGame(PRESET).options(options), seats=4)


def declared(text: str, rules: ThorinRules | None = None) -> int:
    """The declaration of Thorin's game that is written like this."""
    spelt = read_spelling(text)
    claim = None if spelt is None else claim_of(spelt, rules or thorin_rules())
    assert claim is not None, text
    return claim


def queen_annes(
    game_id: str, seats: int, losses: Sequence[int] | None = None, /, **options: object
) -> QueenAnnesSession:
    """A match of one of Queen Anne's games before its first round."""
    found = QueenAnnesGame(presets()[game_id])
    return found.session(seats, found.options(options), losses=losses)


def queen_annes_rules(game_id: str = "queen-annes", seats: int = 4, **options: object) -> QueenAnnesRules:
    found = QueenAnnesGame(presets()[game_id])
    return pooled_rules(found.options(options), found.row.dealing, seats)


def pass_on(session: ThorinSession, actions: str) -> ThorinSession:
    """The session after `actions`, in the notation, with commas between them."""
    for text in filter(None, map(str.strip, actions.split(","))):
        session = session.apply(session.read(text))
    return session


def hand_on(session: ThorinSession, deck: str | None, actions: str = "", opener: int | None = None) -> ThorinSession:
    """The session after one more round (or the beginning of one) of Thorin's game."""
    deal = ThorinDeal() if deck is None else ThorinDeal(cards(deck))
    return pass_on(session.deal(deal, RoundSetup(opener)), actions)


def name_on(session: QueenAnnesSession, actions: str) -> QueenAnnesSession:
    """The session after `actions`; what is no challenge is a claim."""
    for text in filter(None, map(str.strip, actions.split(","))):
        written = text if text.startswith("challenge") else f"claim {text}"
        session = session.apply(session.read(written))
    return session


def throw_in(
    session: QueenAnnesSession, hands: str, actions: str = "", extras: str = "", opener: int | None = None
) -> QueenAnnesSession:
    """The session after one more round of a pooled game; hands are parted by strokes."""
    deal = QueenAnnesDeal(tuple(cards(hand) for hand in hands.split("|")), cards(extras))
    return name_on(session.deal(deal, RoundSetup(opener)), actions)


def passed_result(session: ThorinSession) -> ThorinRoundResult:
    result = session.round_result
    assert result is not None
    return result


def pooled_result(session: QueenAnnesSession) -> QueenAnnesRoundResult:
    result = session.round_result
    assert result is not None
    return result


def code_of(session: ThorinSession | QueenAnnesSession, text: str) -> str:
    """The code with which `text` is refused; `legal` if it is not."""
    try:
        session.apply(session.read(text))
    except IllegalAction as refused:
        return refused.code
    return "legal"


def any_move(session: ThorinSession | QueenAnnesSession, chance: Random, boldness: float = 0.8) -> int:
    """A legal action: mostly on with the round, among the lowest claims."""
    legal = session.legal()
    if not legal.answers:
        return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 800))]
    if legal.claims and chance.random() < boldness:
        return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 800))]
    onward = [action for action in legal.answers if action in (TAKE, PASS)]
    return chance.choice(onward if onward and chance.random() < boldness else legal.answers)


def all_cards(session: ThorinSession) -> list[int]:
    """Every card of the deck, wherever it is now."""
    assert session.round is not None
    stock = session.round.stock
    assert stock.deck is not None
    return sorted((*session.round.hand, *stock.thrown, *stock.deck[stock.position : stock.end]))
