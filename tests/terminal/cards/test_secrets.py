"""Nothing that the person may not know has any effect on what is printed."""

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck, shuffled
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.deal import QueenAnnesDeal
from liarspoker.games.thorin.actions import discard_of
from liarspoker.games.thorin.deal import ThorinDeal
from tests.terminal.cards.card_table import Player, asking, offered, prompt, told_at

SEEDS = st.integers(0, 2**32)
QUESTIONS = ("odds", "odds three 7", "why", "hand", "score", "check pair 9")
SEATS = 3


def without_looking(view: Any, chance: Random) -> int:
    """A bot that plays by what is public: what is legal for anybody, and how many cards it throws."""
    if getattr(view.legal, "discard", False):
        return discard_of(view.hand[: chance.randrange(6)])
    claims, answers = view.legal.claims, view.legal.answers
    pick = chance.randrange(2 * len(answers) + min(3, len(claims)))
    return int(answers[pick // 2] if pick < 2 * len(answers) else claims[pick - 2 * len(answers)])


def blind(seed: int) -> Player:
    """Declares the least, passes or challenges, and never takes a hand."""
    chance = Random(seed)

    def answer(told: str) -> str | None:
        if "Enter" in prompt(told):
            return None
        return chance.choice([entry for entry in offered(told) if entry not in ("t", "take")])

    return asking(answer, *QUESTIONS)


def before_the_cards_are_shown(session: Any, seed: int) -> str:
    text = told_at(session, blind(seed), bot=without_looking)[0]
    return text.partition("All cards are shown")[0].partition("\nThe hand is")[0]


def pooled(game: str, hands: list[tuple[int, ...]], extras: tuple[int, ...], opener: int) -> Any:
    return catalogue.load(game).session(SEATS).deal(QueenAnnesDeal(tuple(hands), extras), RoundSetup(opener=opener))


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1))
def test_the_others_cards_do_not_show(seed: int, opener: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    one = [deck[:5], deck[5:10], deck[10:15]]
    other = [deck[:5], deck[20:25], deck[30:35]]
    texts = [before_the_cards_are_shown(pooled("queen-annes", hands, (), opener), seed) for hands in (one, other)]
    assert texts[0] == texts[1]


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1))
def test_the_own_cards_of_the_indian_game_do_not_show(seed: int, opener: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    one, other = ([own, deck[5:10], deck[10:15]] for own in (deck[:5], deck[20:25]))
    texts = [
        before_the_cards_are_shown(pooled("queen-annes-indian", hands, (), opener), seed) for hands in (one, other)
    ]
    assert texts[0] == texts[1]


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1))
def test_the_others_hole_cards_do_not_show(seed: int, opener: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    one = [deck[:2], deck[2:4], deck[4:6]]
    other = [deck[:2], deck[48:50], deck[50:52]]
    texts = [
        before_the_cards_are_shown(pooled("queen-annes-stud", hands, deck[6:40], opener), seed)
        for hands in (one, other)
    ]
    assert texts[0] == texts[1]


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1), passes=st.integers(0, 1))
def test_a_hand_that_is_not_taken_does_not_show(seed: int, opener: int, passes: int) -> None:
    game = catalogue.load("thorin")
    deck = shuffled(full_deck(0), Random(seed).randrange)
    seen = 5 if opener == 0 else 0
    other = (*deck[:seen], *shuffled(deck[seen:], Random(seed + 1).randrange))
    texts = []
    for cards in (deck, other):
        session = game.session(SEATS, game.options({"passes": passes}))
        texts.append(before_the_cards_are_shown(session.deal(ThorinDeal(cards), RoundSetup(opener=opener)), seed))
    assert texts[0] == texts[1]
