"""Claims of the card games in words: all phrases of the source documents, and every claim as it is displayed."""

from __future__ import annotations

import re
from functools import cache
from gettext import NullTranslations
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker import language
from liarspoker.core import catalogue
from liarspoker.core.cards.claims import Spelling, write_spelling
from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Session
from liarspoker.games.cards.spoken_claims import parse_spoken_claim
from liarspoker.games.cards.wording import describe_claim
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, prove
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.record_text import describe_hand, describe_proof, promise
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.thorin import notation as passed_notation
from liarspoker.games.thorin.ladder import ClaimsAbove, spelling_of
from liarspoker.games.thorin.page.promises import describe_spelling
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.records.family import RecordFormat, record_format
from tests.effort import effort
from tests.rules.cards.matches import (
    play_pooled_round,
    play_thorin_round,
    queen_annes,
    queen_annes_rules,
    thorin,
    thorin_rules,
)

passed = record_format(catalogue.load("thorin"))
pooled = record_format(catalogue.load("queen-annes"))

THORIN = {
    # Source 002.
    "two pairs": "two-pair",
    "two pair, sevens over threes": "two-pair 73",
    "sevens over threes with a jack kicker": "two-pair 73J",
    "three of a kind": "three",
    "king high": "high K",
    "king-ten high": "high KT",
    "queen-jack high": "high QJ",
    "Q-J-9-4-2, all red": "color-flush QJ942",
    "Q-10-10-4-2, all red": "color-flush QTT42",
    "three fours and an ace-king": "three 4AK",
    "three fours": "three 4",
    "10-10-5-5-2": "two-pair T52",
    "10-10-A-K-J": "pair TAKJ",
    "7-6 high": "high 76",
    "threes over twos": "two-pair 32",
    "7-7-3-3-2": "two-pair 732",
    "4-3-3-2-2": "two-pair 324",
    "Q-7-7-6-2": "pair 7Q62",
    "8-8-8-4-4": "full-house 84",
    # RULES B4 and the notation.
    "a pair, ace kicker": "pair _A",
    "pair of 7s": "pair 7",
    "A high": "high A",
    "five aces": "five A",
    "two pair, sevens over threes with a jack kicker": "two-pair 73J",
    "eights and jacks": "two-pair J8",
    "full house A over 10": "full-house AT",
    "K-10 high": "high KT",
    # Colloquial phrases.
    "A pair of sevens": "pair 7",
    "ten-king high": "high KT",
    "pair of aces with a king-nine kicker": "pair AK9",
    "aces full of tens": "full-house AT",
    "three kings and a pair of fours": "full-house K4",
    "pair of threes and pair of sevens": "two-pair 73",
    "two pair, 3-7-7-3-2": "two-pair 732",
    "three of a kind, 4-4-4-A-K": "three 4AK",
    "jacks up": "two-pair J",
    "two pair with a jack kicker": "two-pair __J",
    "trip fours": "three 4",
    "quad aces, king kicker": "four AK",
    "nine-high straight": "straight 9",
    "straight from five to nine": "straight 9",
    "9-8-7-6-5": "straight 9",
    "5-4-3-2-A": "straight 5",
    "5-6-7-8-9, all black": "color-straight-flush 9",
    "color flush": "color-flush",
    "queen-high colour flush": "color-flush Q",
    "color straight flush, five high": "color-straight-flush 5",
    "two pair, all red": "two-pair",
    "flush, king high, hearts": "flush K",
    "royal flush": "straight-flush A",
    "royal flush of spades": "straight-flush A",
    "straight flush nine high": "straight-flush 9",
    "K-J-7-5-2 of hearts": "flush KJ752",
    "A-A-A-A-A": "five A",
    "Two Pair, Sevens Over Threes": "two-pair 73",
}
POOLED = {
    # Source 004.
    "pair of 7": "pair 7",
    "two pair 8 and J": "two-pair J8",
    "flush 2,5,7,J,K clubs": "flush KJ752 c",
    "full house A over 10": "full-house AT",
    "high card 4": "high 4",
    "royal flush of spades": "royal-flush s",
    # The notation, and colloquial phrases.
    "eights and jacks": "two-pair J8",
    "J's and 8's": "two-pair J8",
    "pair of sevens": "pair 7",
    "four aces": "four A",
    "two sixes": "pair 6",
    "three fours": "three 4",
    "straight flush nine high hearts": "straight-flush 9 h",
    "straight flush, five to nine, of hearts": "straight-flush 9 h",
    "ace-high straight flush of clubs": "royal-flush c",
    "Q-J-9-4-2 of hearts": "flush QJ942 h",
    "flush K-J-7-5-2 ♣": "flush KJ752 c",
    "straight to the ace": "straight A",
    "ace high": "high A",
}
NO_WORDS = [
    *["nothing", "all red", "of", "pear of sevens", "two", "7", "king", "K-Q", "flush of clubs and hearts K J 7 5 2"],
    *["seven over three", "high high", "over", "straight over nine", "three fours over aces", "kicker"],
    *["pair of sevens over threes, jacks, full", "five sevens of spades please", "two pair 73", "high card 9T"],
    *["sevens" * 100, "\0", "♣"],
]
NOT_IN_FULL = [
    *["two pair", "pair", "sevens over sevens", "flush 2,5,7,J,K", "flush of clubs", "straight nine high hearts"],
    *["5-6-7-8-9-10 straight", "10-10-5-5-2", "pair of sevens, ace kicker", "five aces", "color flush", "royal flush"],
]


def thorin_round(jokers: int = 2) -> ThorinSession:
    return play_thorin_round(thorin(3, jokers=jokers), None)


def pooled_round() -> QueenAnnesSession:
    return play_pooled_round(queen_annes("queen-annes", 2, (4, 4)), "7c|7d")


def code_of(form: RecordFormat[Any], session: Session, action: str) -> str:
    """Return the error code of a rejected action."""
    with pytest.raises(IllegalAction) as refused:
        form.read(session, action)
    return refused.value.code


def test_words_of_thorins_game_come_out_as_notation() -> None:
    session = thorin_round()
    found = {words: session.write(passed.read(session, f"declare {words}")) for words in THORIN}
    assert found == {words: f"declare {written}" for words, written in THORIN.items()}


def test_words_of_the_pooled_games_come_out_as_notation() -> None:
    session = pooled_round()
    found = {words: session.write(pooled.read(session, f"claim {words}")) for words in POOLED}
    assert found == {words: f"claim {written}" for words, written in POOLED.items()}


def test_what_says_no_claim_is_not_read_and_the_notation_is_strict() -> None:
    for words in NO_WORDS:
        assert code_of(passed, thorin_round(), f"declare {words}") == "unreadable-action", words
    for claim in ("two-pair 37", "pair 7 h", "royal-flush s", "straight-flush A s", "five 7"):
        assert code_of(passed, thorin_round(0), f"declare {claim}") == "no-such-claim", claim
    for words in NOT_IN_FULL:
        assert code_of(pooled, pooled_round(), f"claim {words}") == "no-such-claim", words


def test_a_royal_flush_is_read_and_written_as_the_highest_straight_flush() -> None:
    session = thorin_round(0)
    for said in ("royal-flush", "royal flush", "a royal flush in spades", "Royal-Flush"):
        assert session.write(passed.read(session, f"declare {said}")) == "declare straight-flush A"


def test_words_for_no_hand_at_the_wrong_time_are_first_of_all_too_early() -> None:
    session = play_thorin_round(thorin(3), "AcAdAhAsKc", "declare pair")
    assert code_of(passed, session, "declare five aces") == "wrong-phase"


@given(
    claim=st.integers(0, ladder_length(queen_annes_rules(flush_of_straight=True)) - 1),
    suit_first=st.booleans(),
)
def test_every_named_hand_is_heard_as_it_is_said(claim: int, suit_first: bool) -> None:
    order = "suit_first" if suit_first else "ranks_first"
    named = named_hand(claim, queen_annes_rules(flush_of_straight=True, flush_order=order))
    assert parse_spoken_claim(describe_hand(named)) == named


@cache
def declarations() -> ClaimsAbove:
    """Return every possible declaration."""
    return ClaimsAbove(0, thorin_rules(jokers=2, duplicate="any"))


def is_heard(claim: int) -> bool:
    """Return whether a declaration in words is parsed as the same declaration."""
    session = play_thorin_round(thorin(2, jokers=2, duplicate="any"), None)
    return passed.read(session, f"declare {describe_claim(spelling_of(claim))}") == claim


@pytest.mark.soak
def test_declarations_are_heard_as_they_are_said() -> None:
    """Check one in 24 of the 50,000 declarations, and all of them in `make soak`."""
    some = list(declarations())[:: effort(24, quick=24, soak=1)]
    assert [passed_notation.write_claim(claim) for claim in some if not is_heard(claim)] == []


WORDS = [
    *["two", "three", "four", "five", "7", "10", "K", "A", "ace", "king", "sevens", "threes", "pair", "pairs", "kind"],
    *["high", "card", "flush", "straight", "full", "house", "royal", "color", "boat", "set", "up", "over", "kicker"],
    *["with", "a", "of", "and", "to", ",", "-", "'s", "red", "clubs", "h"],
]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text())
def test_whatever_is_said_is_a_claim_that_can_be_written_or_none(text: str) -> None:
    spelt = parse_spoken_claim(text)
    if spelt is not None:
        assert write_spelling(spelt)


def test_the_order_of_the_ranks_does_not_matter_in_words() -> None:
    for ranks in permutations("KJ752"):
        spelt = parse_spoken_claim(f"flush {','.join(ranks)} clubs")
        assert spelt is not None
        assert write_spelling(spelt) == "flush KJ752 c"


class _Bracketed(NullTranslations):
    """A language in which every message is the English one in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧"


def outside_messages(text: str) -> str:
    """Return what of a text is in no message."""
    outer = re.sub("⟦[^⟦⟧]*⟧", "", text)
    return outer if outer == text else outside_messages(outer)


def in_words(hand: Spelling, rules: QueenAnnesRules) -> list[str]:
    """Return everything that is said about a hand of Queen Anne's games."""
    proof = prove(hand, (0, 17, 34, 51), rules)
    return [describe_hand(hand), describe_hand(hand, label=True), promise(hand), *describe_proof(hand, proof)]


def test_every_word_of_a_hand_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    bracketed, rules = _Bracketed(), queen_annes_rules(wild_ranks="2")
    monkeypatch.setattr(language, "translations", lambda code: bracketed)
    with language.speaking("bracketed"):
        texts = [text for claim in range(ladder_length(rules)) for text in in_words(named_hand(claim, rules), rules)]
        texts += [describe_spelling(spelling_of(claim)) for claim in declarations()[::97]]
    outside = {outside_messages(text) for text in texts}
    assert not [text for text in outside if re.search(r"[a-z]{2}", text)]
