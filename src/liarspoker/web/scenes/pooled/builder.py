"""Putting a claim together: kinds, ranks and suits as keys, a line that may be typed, and what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from liarspoker.records.cards.heard import claim_words, heard
from liarspoker.records.cards.promised import promise
from liarspoker.records.cards.refusals import why_no_hand
from liarspoker.records.cards.words import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS, rank_sign
from liarspoker.rules.cards.claims import NO_CLAIM, NO_SUIT, OPEN_RANK, Spelling, write_spelling
from liarspoker.rules.cards.deck import RANKS, SUITS
from liarspoker.rules.cards.hand_values import ACE
from liarspoker.rules.cards.pooled.ladder import claim_of, named_hand
from liarspoker.rules.cards.pooled.notation import read_claim, write_claim
from liarspoker.rules.errors import LEGAL
from liarspoker.web.scenes.pooled.choices import (
    FLUSH,
    FLUSH_RANKS,
    SUITED,
    Block,
    Parts,
    above,
    blocks_of,
    flushes_with,
    following,
    hand_of,
    nearest,
    parts_of,
)
from liarspoker.web.scenes.pooled.sayings import kind_titled, per_cent, small_figure, titled, with_article
from liarspoker.web.scenes.pooled.sight import Sight

LONGEST_SAID = 120
"""Signs of a spoken claim that are listened to."""

_TOO_LOW = "too low"
_NUMBERS = ("", "one", "two", "three", "four", "five")
_LABELS = {
    "high": ("Rank",),
    "pair": ("Rank of the pair",),
    "two-pair": ("High pair", "Low pair"),
    "three": ("Rank of the three",),
    "straight": ("Highest rank",),
    "full-house": ("The three", "The two"),
    "four": ("Rank of the four",),
    "straight-flush": ("Highest rank", "Suit"),
    "royal-flush": ("Suit",),
}
_SECOND = {"two-pair": "below the high pair only", "full-house": "another rank than the three"}


@dataclass(frozen=True, slots=True)
class Key:
    """A key that can be chosen.

    Attributes:
        value: what it sends.
        sign: what stands on it.
        name: the same in words.
        chosen: it is chosen.
        refused: why it cannot be chosen, in a few words; empty if it can.
        figure: the chance in per cent of the hand that it makes, as a small figure; empty where none is told.
    """

    value: str
    sign: str
    name: str
    chosen: bool
    refused: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Keys of which one is chosen, or of ranks of a flush five.

    Attributes:
        field: the name that they send; for a flush each rank has its own, `field` with the rank's sign behind.
        label: what is chosen.
        keys: in order.
        many: several may be chosen.
        suits: they are suits.
    """

    field: str
    label: str
    keys: tuple[Key, ...]
    many: bool = False
    suits: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand that somebody is about to name.

    Attributes:
        words: the hand with a capital.
        exactly: what must be among all cards.
        legal: it may be named now.
        action: what is sent to name it; empty if it may not be named.
        why: why it may be named, or why not, as a sentence.
        chance: that it is there, in per cent; empty where none is told.
    """

    words: str
    exactly: str
    legal: bool
    action: str
    why: str
    chance: str


@dataclass(frozen=True, slots=True)
class Builder:
    """A claim that is put together.

    Attributes:
        turn: the turn that the draft belongs to.
        kinds: kinds of hands, lowest first.
        kind: the kind that is chosen.
        rows: what is chosen within it.
        step: on small screens one of `kind` and `cards`.
        said: what was typed.
        judged: the hand as far as it is whole; `None` while something is missing.
        missing: what is missing, as a sentence; empty if nothing is.
        figures: the keys have chances.
    """

    turn: int
    kinds: tuple[Key, ...]
    kind: str
    rows: tuple[Row, ...]
    step: str
    said: str
    judged: Judged | None
    missing: str
    figures: bool


def builder_of(sight: Sight, least: str, turn: int, draft: Mapping[str, str]) -> Builder:
    """The builder, as far as a draft has come.

    Args:
        sight: the round, from the seat to act.
        least: the weakest hand that may be named.
        turn: the turn; a draft of another one says nothing any more.
        draft: fields of the builder's two forms.
    """
    fields = draft if draft.get("turn") == str(turn) else {}
    lowest = read_claim(least, sight.rules)
    said = fields.get("spoken", "").strip()[:LONGEST_SAID]
    spoken = _heard(said, sight) if said else None
    wish = _wished(fields) if spoken is None else spoken
    blocks = blocks_of(sight.rules)
    block = next((one for one in blocks if one.word == wish.word and one.claims[-1] >= lowest), None)
    if block is None:  # nothing is chosen yet, or something that may not be named
        block = next(one for one in blocks if one.claims[-1] >= lowest)
        wish = Spelling(block.word)
    whole = _whole(block, lowest, wish)
    rows = _flush_rows(block, lowest, wish, sight) if whole is None else _rows(block, lowest, whole, sight)
    if block.word == FLUSH and not _lacks(wish):
        whole = wish
    if said and (spoken is None or (whole != spoken and not (spoken.word == block.word and _lacks(spoken)))):
        judged: Judged | None = _judged_said(said, spoken, sight)
    else:
        judged = None if whole is None else judged_hand(whole, sight)
    return Builder(
        turn=turn,
        kinds=tuple(_kind(one, lowest, block.word) for one in blocks),
        kind=block.word,
        rows=rows,
        step=_step(fields, block.word),
        said=said,
        judged=judged,
        missing="" if judged is not None else _missing(wish),
        figures=any(key.figure for row in rows for key in row.keys),
    )


def judged_hand(named: Spelling, sight: Sight) -> Judged:
    """What comes of naming a hand now, by the rules."""
    claim = claim_of(named, sight.rules)
    if claim is None:
        return Judged(titled(named), "", False, "", _sentence(f"that is no hand here; {_no_hand(named, sight)}"), "")
    legal = sight.refusal(claim) == LEGAL
    if sight.claim == NO_CLAIM:
        why = "The opener may name any hand."
    else:
        why = f"It {'beats' if legal else 'does not beat'} {with_article(named_hand(sight.claim, sight.rules))}."
    chance = sight.chance(named)
    return Judged(
        words=titled(named),
        exactly=promise(named),
        legal=legal,
        action=f"claim {write_claim(claim, sight.rules)}" if legal else "",
        why=why,
        chance="" if chance is None else per_cent(chance),
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _no_hand(named: Spelling, sight: Sight) -> str:
    return why_no_hand(f"claim {write_spelling(named)}", sight.rules)


def _heard(said: str, sight: Sight) -> Spelling | None:
    """The hand that was typed; `None` if it names none."""
    words = claim_words(said)
    named = heard(said if words is None else words, lambda spelt: claim_of(spelt, sight.rules) is not None)
    if named is not None and OPEN_RANK in named.ranks:
        return None
    return named


def _lacks(named: Spelling) -> bool:
    """Whether ranks or the suit are not told."""
    if named.word not in _LABELS and named.word != FLUSH:
        return False
    ranks = FLUSH_RANKS if named.word == FLUSH else len(_LABELS[named.word]) - (named.word in SUITED)
    return len(named.ranks) < ranks or (named.word in SUITED and named.suit == NO_SUIT)


def _judged_said(said: str, spoken: Spelling | None, sight: Sight) -> Judged:
    """Why what was typed may not be named."""
    if spoken is None:
        return Judged(said, "", False, "", _sentence(f"that names no hand; {why_no_hand(said, sight.rules)}"), "")
    return judged_hand(spoken, sight)


def _wished(fields: Mapping[str, str]) -> Spelling:
    """What the keys have chosen so far, whether it is a hand or not; ranks that are not chosen are open.

    With another kind than the one that was shown the cards begin anew.
    """
    word = fields.get("kind", "")
    if word != fields.get("was", word):
        return Spelling(word)
    suit = SUITS.find(fields.get("suit", "")) if fields.get("suit") else NO_SUIT
    if word == FLUSH:
        ranks = tuple(rank for rank in range(ACE, -1, -1) if fields.get(f"rank{RANKS[rank]}"))[:FLUSH_RANKS]
    else:
        ranks = tuple(RANKS.find(fields.get(f"rank{place}") or "_") for place in (1, 2))
    return Spelling(word, ranks, suit)


def _whole(block: Block, lowest: int, wish: Spelling) -> Spelling | None:
    """The hand that may be named and is nearest to what is chosen; `None` for flushes, which are chosen in full."""
    if block.word == FLUSH:
        return None
    ranks = len(block.parts[0]) - (block.word in SUITED)
    chosen = [rank if rank >= 0 else None for rank in wish.ranks[:ranks]]
    chosen += [None] * (ranks - len(chosen)) + [wish.suit if wish.suit != NO_SUIT else None]
    return hand_of(block.word, nearest(above(block, lowest), chosen))


def _missing(wish: Spelling) -> str:
    """What a flush still lacks."""
    lacking = FLUSH_RANKS - len(wish.ranks)
    ranks = f"{_NUMBERS[lacking]} {'more ' if wish.ranks else ''}rank{'' if lacking == 1 else 's'}" if lacking else ""
    suit = "a suit" if wish.suit == NO_SUIT else ""
    return f"Choose {' and '.join(filter(None, (ranks, suit)))}."


def _step(fields: Mapping[str, str], kind: str) -> str:
    """A new kind leads on to its cards."""
    if fields.get("step") in ("kind", "cards"):
        return fields["step"]
    if fields.get("spoken") or (fields and fields.get("kind") != fields.get("was")):
        return "cards"
    return "cards" if fields.get("at") == "cards" else "kind"


def _kind(block: Block, lowest: int, chosen: str) -> Key:
    name = kind_titled(block.word)
    refused = "" if block.claims[-1] >= lowest else _TOO_LOW
    return Key(block.word, name, name, block.word == chosen, refused, "" if refused else _from(block, lowest))


def _from(block: Block, lowest: int) -> str:
    """Where a kind begins that has some hands that are too low: `from J-8`."""
    if lowest <= block.claims.start or block.word in (FLUSH, "royal-flush"):
        return ""
    hand = hand_of(block.word, above(block, lowest)[0])
    return f"from {'-'.join(map(rank_sign, hand.ranks))}"


def _rows(block: Block, lowest: int, whole: Spelling, sight: Sight) -> tuple[Row, ...]:
    """One row for each part of a hand; what comes later may be anything that goes with what is chosen before."""
    parts, hands = parts_of(whole), above(block, lowest)
    rows = []
    for place, label in enumerate(_LABELS[block.word]):
        may, can = following(hands, parts[:place]), following(block.parts, parts[:place])
        made = {part: _changed(block.word, hands, parts, place, part) for part in may}
        figures = {part: _figure(hand, sight) for part, hand in made.items()}
        if label == "Suit":
            rows.append(_suit_row(figures, parts[place]))
            continue
        keys = tuple(
            Key(
                value=RANKS[rank],
                sign=rank_sign(rank),
                name=RANK_NAMES[rank],
                chosen=rank == parts[place],
                refused=_refused(block.word, place, rank, may, can),
                figure=figures.get(rank, ""),
            )
            for rank in range(ACE + 1)
        )
        rows.append(Row(f"rank{place + 1}", label, keys))
    return tuple(rows)


def _changed(word: str, hands: Sequence[Parts], parts: Parts, place: int, value: int) -> Spelling:
    """The hand that comes of another choice at one place."""
    return hand_of(word, nearest(hands, (*parts[:place], value, *parts[place + 1 :])))


def _refused(word: str, place: int, rank: int, may: Collection[int], can: Collection[int]) -> str:
    if rank in may:
        return ""
    if rank in can:
        return _TOO_LOW
    if place == 1:
        return _SECOND[word]
    return "that is the royal flush" if word == "straight-flush" and rank == ACE else "there is no such hand"


def _suit_row(figures: Mapping[int, str], chosen: int) -> Row:
    """The suits; those may be chosen that `figures` has."""
    keys = tuple(
        Key(
            value=sign,
            sign=SUIT_SIGNS[suit],
            name=SUIT_NAMES[suit],
            chosen=suit == chosen,
            refused="" if suit in figures else _TOO_LOW,
            figure=figures.get(suit, ""),
        )
        for suit, sign in enumerate(SUITS)
    )
    return Row("suit", "Suit", keys, suits=True)


def _flush_rows(block: Block, lowest: int, wish: Spelling, sight: Sight) -> tuple[Row, ...]:
    """Thirteen ranks of which five are chosen, and the suit."""
    suit = None if wish.suit == NO_SUIT else wish.suit
    joining, suits = flushes_with(block, lowest, wish.ranks, suit)
    could, _ = flushes_with(block, block.claims.start, wish.ranks, suit)
    keys = tuple(
        Key(
            value=RANKS[rank],
            sign=rank_sign(rank),
            name=RANK_NAMES[rank],
            chosen=rank in wish.ranks,
            refused=_not_joining(rank, wish, joining, could),
        )
        for rank in range(ACE + 1)
    )
    complete = len(wish.ranks) == FLUSH_RANKS
    figures = {of: _figure(wish._replace(suit=of), sight) if complete else "" for of in suits}
    return Row("rank", "Five ranks", keys, many=True), _suit_row(figures, wish.suit)


def _not_joining(rank: int, wish: Spelling, joining: Collection[int], could: Collection[int]) -> str:
    """Why a rank may not be added to a flush."""
    if rank in wish.ranks or rank in joining:
        return ""
    if len(wish.ranks) == FLUSH_RANKS:
        return "five are chosen"
    return _TOO_LOW if rank in could else "that would be a straight flush"


def _figure(named: Spelling, sight: Sight) -> str:
    chance: Fraction | None = sight.chance(named)
    return "" if chance is None else small_figure(chance)
