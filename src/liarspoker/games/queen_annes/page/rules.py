"""Rules page of Queen Anne's games: the ladder of hands, the extra cards, and sample rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from liarspoker.core.cards.claims import write_spelling
from liarspoker.core.cards.deck import card_text
from liarspoker.core.catalogue import GamePreset
from liarspoker.games.cards.wording import describe_claim, name_category
from liarspoker.games.queen_annes import record_text
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import packed
from liarspoker.games.queen_annes.page.board import taken
from liarspoker.games.queen_annes.presets import presets
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import NO_SLOT, cards_at_once, extra_slot, face_up
from liarspoker.language import _, per_language, pgettext
from liarspoker.records.reader import Replay
from liarspoker.web.view_models.family import Difference, Holder, PlayedSample


@dataclass(frozen=True, slots=True)
class Named:
    """A category of the ladder: number of hands, the lowest, and the highest in words and notation."""

    name: str
    hands: int
    lowest: str
    highest: str
    written: str


@dataclass(frozen=True, slots=True)
class Turns:
    """Cards that a player with these losses gets in Stud: hole cards, and per turn their face or nothing."""

    losses: int
    at_once: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """The categories of the ladder, and in Stud the extra cards by losses."""

    named: tuple[Named, ...]
    turns: tuple[Turns, ...]


def tables(game: str, players: int) -> Tables:
    """Return the tables of a game; they don't depend on the number of players."""
    return Tables(named_hands(game), turns(game) if presets()[game].dealing.faces else ())


@per_language()
def named_hands(game: str) -> tuple[Named, ...]:
    """Return the categories of the ladder, lowest first."""
    preset = presets()[game]
    rules = packed(preset.options, preset.dealing, seats=2)
    every = [named_hand(claim, rules) for claim in range(ladder_length(rules))]
    rows = []
    for word, group in groupby(every, key=lambda one: one.word):
        hands = list(group)
        rows.append(
            Named(
                name_category(word),
                len(hands),
                describe_claim(hands[0]),
                describe_claim(hands[-1]),
                write_spelling(hands[-1]),
            )
        )
    return tuple(rows)


@per_language()
def turns(game: str) -> tuple[Turns, ...]:
    """Return the extra cards by number of losses, while at least one player hasn't lost yet."""
    preset = presets()[game]
    rules = packed(preset.options, preset.dealing, seats=2)
    rows = []
    for losses in range(rules.exit_losses):
        slots = [extra_slot(turn, losses, 0, rules) for turn in range(1, rules.extras + 1)]
        up, down = pgettext("a card's face", "up"), pgettext("a card's face", "down")
        cards = tuple("" if slot == NO_SLOT else up if face_up(slot, rules) else down for slot in slots)
        rows.append(Turns(losses, cards_at_once(losses, rules), cards))
    return tuple(rows)


def differences(relatives: Sequence[GamePreset]) -> list[Difference]:
    """Compare how the games are dealt."""
    dealings = [presets()[one.id].dealing for one in relatives]
    none = pgettext("extra cards", "none")
    own, others = _("your own cards and all face-up cards"), _("all cards except your own")
    card, extra = _("one card"), _("one extra card")
    return [
        Difference(_("Cards dealt"), tuple(str(one.hand_cards) for one in dealings)),
        Difference(_("Extra cards"), tuple(str(len(one.faces)) if one.faces else none for one in dealings)),
        # Translators: the heading of a row: "all cards except your own".
        Difference(_("You see"), tuple(others if one.blind else own for one in dealings)),
        # Translators: the heading of a row: "one card" or "one extra card".
        Difference(_("A loss costs"), tuple(card if one.loss_costs_card else extra for one in dealings)),
    ]


def sample(played: Replay) -> PlayedSample:
    """Return a sample round with its result."""
    session, names = cast(QueenAnnesSession, played.session), played.players
    result = session.round_result
    assert result is not None
    proof = Counter(map(card_text, (*result.proof.cards, *result.proof.wilds)))
    dealt = [list(hand) for hand in result.hands]
    for extra in result.extras:
        dealt[extra.seat].append(extra.card)
    holders = tuple(
        Holder(names[seat], cards=tuple((text, taken(text, proof)) for text in map(card_text, cards)))
        for seat, cards in enumerate(dealt)
    )
    lines = [line.strip() for line in record_text.describe_round(session, names)[1 + len(names) :]]
    cut = len(lines) - len(record_text.describe_challenge(result, session.setup.rules, names)) + 1
    return PlayedSample(tuple(lines[:cut]), holders, tuple(lines[cut:-1]), pool=True)
