"""Helpers that play rounds of the card games in one line."""

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
    """Read cards, with or without spaces."""
    return read_joined_cards(text.replace(" ", ""))


def thorin(seats: int, **options: object) -> ThorinSession:
    """Return a match of Thorin's game before its first round."""
    found = ThorinGame(PRESET)
    return found.session(seats, found.options(options))


def thorin_rules(**options: object) -> ThorinRules:
    return passed_rules(ThorinGame(PRESET).options(options), seats=4)


def declared(text: str, rules: ThorinRules | None = None) -> int:
    """Return a declaration of Thorin's game from its notation."""
    spelt = read_spelling(text)
    claim = None if spelt is None else claim_of(spelt, rules or thorin_rules())
    assert claim is not None, text
    return claim


def queen_annes(
    game_id: str, seats: int, losses: Sequence[int] | None = None, /, **options: object
) -> QueenAnnesSession:
    """Return a match of one of Queen Anne's games before its first round."""
    found = QueenAnnesGame(presets()[game_id])
    return found.session(seats, found.options(options), losses=losses)


def queen_annes_rules(game_id: str = "queen-annes", seats: int = 4, **options: object) -> QueenAnnesRules:
    found = QueenAnnesGame(presets()[game_id])
    return pooled_rules(found.options(options), found.preset.dealing, seats)


def after_actions(session: ThorinSession, actions: str) -> ThorinSession:
    """Return the session after `actions` in notation, separated by commas."""
    for text in filter(None, map(str.strip, actions.split(","))):
        session = session.apply(session.read(text))
    return session


def play_thorin_round(
    session: ThorinSession, deck: str | None, actions: str = "", opener: int | None = None
) -> ThorinSession:
    """Return the session after another, possibly unfinished, round of Thorin's game."""
    deal = ThorinDeal() if deck is None else ThorinDeal(cards(deck))
    return after_actions(session.deal(deal, RoundSetup(opener)), actions)


def after_claims(session: QueenAnnesSession, actions: str) -> QueenAnnesSession:
    """Return the session after `actions`; those other than challenges are claims."""
    for text in filter(None, map(str.strip, actions.split(","))):
        written = text if text.startswith("challenge") else f"claim {text}"
        session = session.apply(session.read(written))
    return session


def play_pooled_round(
    session: QueenAnnesSession, hands: str, actions: str = "", extras: str = "", opener: int | None = None
) -> QueenAnnesSession:
    """Return the session after another round of Queen Anne's games; hands are separated by `|`."""
    deal = QueenAnnesDeal(tuple(cards(hand) for hand in hands.split("|")), cards(extras))
    return after_claims(session.deal(deal, RoundSetup(opener)), actions)


def thorin_result(session: ThorinSession) -> ThorinRoundResult:
    result = session.round_result
    assert result is not None
    return result


def queen_annes_result(session: QueenAnnesSession) -> QueenAnnesRoundResult:
    result = session.round_result
    assert result is not None
    return result


def code_of(session: ThorinSession | QueenAnnesSession, text: str) -> str:
    """Return the code with which an action is rejected, or `legal`."""
    try:
        session.apply(session.read(text))
    except IllegalAction as refused:
        return refused.code
    return "legal"


def random_action(session: ThorinSession | QueenAnnesSession, chance: Random, boldness: float = 0.8) -> int:
    """Return a random legal action, mostly one of the lowest claims."""
    legal = session.legal()
    if not legal.answers:
        return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 800))]
    if legal.claims and chance.random() < boldness:
        return legal.claims[min(len(legal.claims) - 1, int(chance.random() ** 3 * 800))]
    declare_and_take = [action for action in legal.answers if action in (TAKE, PASS)]
    return chance.choice(declare_and_take if declare_and_take and chance.random() < boldness else legal.answers)


def all_cards(session: ThorinSession) -> list[int]:
    """Return all cards of the deck: hand, stock and discards."""
    assert session.round is not None
    stock = session.round.stock
    assert stock.deck is not None
    return sorted((*session.round.hand, *stock.discards, *stock.deck[stock.position : stock.end]))
