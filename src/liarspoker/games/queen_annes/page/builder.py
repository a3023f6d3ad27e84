"""Putting a claim together: kinds, ranks and suits as keys, a line that may be typed, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, OPEN_RANK, SHAPES, Spelling, write_spelling
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.cards.hand_values import ACE
from liarspoker.core.errors import LEGAL
from liarspoker.games.cards.record_spoken import claim_words, heard
from liarspoker.games.queen_annes.ladder import claim_of, named_hand
from liarspoker.games.queen_annes.notation import read_claim, write_claim
from liarspoker.games.queen_annes.page.keys import (
    FLUSH,
    FLUSH_RANKS,
    Block,
    Key,
    Row,
    above,
    blocks_of,
    flush_rows,
    hand_of,
    kind_key,
    nearest,
    rows_of,
)
from liarspoker.games.queen_annes.page.seen import SeenRound, per_cent, titled, with_article
from liarspoker.games.queen_annes.record import why_no_hand
from liarspoker.games.queen_annes.record_text import promise
from liarspoker.records.words import sentence

LONGEST_SAID = 120
"""Signs of a spoken claim that are listened to."""
_NUMBERS = ("", "one", "two", "three", "four", "five")


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand that somebody is about to name: the action if it is legal, why it is or isn't, and its chance."""

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
        step: on small screens one of `kind` and `cards`.
        said: what was typed.
        judged: the hand as far as it is whole; `None` while something is missing.
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


def builder_of(seen: SeenRound, least: str, turn: int, draft: Mapping[str, str]) -> Builder:
    """The builder, as far as a draft has come."""
    fields = draft if draft.get("turn") == str(turn) else {}
    lowest = read_claim(least, seen.rules)
    said = fields.get("spoken", "").strip()[:LONGEST_SAID]
    spoken = _heard(said, seen) if said else None
    wish = _wished(fields) if spoken is None else spoken
    blocks = blocks_of(seen.rules)
    block = next((one for one in blocks if one.word == wish.word and one.claims[-1] >= lowest), None)
    if block is None:  # nothing is chosen yet, or something that may not be named
        block = next(one for one in blocks if one.claims[-1] >= lowest)
        wish = Spelling(block.word)
    whole = _whole(block, lowest, wish)
    rows = flush_rows(block, lowest, wish, seen) if whole is None else rows_of(block, lowest, whole, seen)
    if block.word == FLUSH and not _lacks(wish):
        whole = wish
    if said and (spoken is None or (whole != spoken and not (spoken.word == block.word and _lacks(spoken)))):
        judged: Judged | None = _judged_said(said, spoken, seen)
    else:
        judged = None if whole is None else judged_hand(whole, seen)
    return Builder(
        turn=turn,
        kinds=tuple(kind_key(one, lowest, block.word) for one in blocks),
        kind=block.word,
        rows=rows,
        step=_step(fields, block.word),
        said=said,
        judged=judged,
        missing="" if judged is not None else _missing(wish),
        figures=any(key.figure for row in rows for key in row.keys),
    )


def judged_hand(named: Spelling, seen: SeenRound) -> Judged:
    """What comes of naming a hand now, by the rules."""
    claim = claim_of(named, seen.rules)
    if claim is None:
        return Judged(titled(named), "", False, "", sentence(f"that is no hand here; {_no_hand(named, seen)}"), "")
    legal = seen.refusal(claim) == LEGAL
    if seen.claim == NO_CLAIM:
        why = "The opener may name any hand."
    else:
        why = f"It {'beats' if legal else 'does not beat'} {with_article(named_hand(seen.claim, seen.rules))}."
    chance = seen.chance(named)
    return Judged(
        words=titled(named),
        exactly=promise(named),
        legal=legal,
        action=f"claim {write_claim(claim, seen.rules)}" if legal else "",
        why=why,
        chance="" if chance is None else per_cent(chance),
    )


def _no_hand(named: Spelling, seen: SeenRound) -> str:
    return why_no_hand(f"claim {write_spelling(named)}", seen.rules)


def _heard(said: str, seen: SeenRound) -> Spelling | None:
    """The hand that was typed; `None` if it names none."""
    words = claim_words(said)
    named = heard(said if words is None else words, lambda spelt: claim_of(spelt, seen.rules) is not None)
    if named is not None and OPEN_RANK in named.ranks:
        return None
    return named


def _lacks(named: Spelling) -> bool:
    """Whether ranks or the suit are not told."""
    shape = SHAPES.get(named.word)
    if shape is None:
        return False
    return len(named.ranks) < shape.ranks or (shape.suited and named.suit == NO_SUIT)


def _judged_said(said: str, spoken: Spelling | None, seen: SeenRound) -> Judged:
    """Why what was typed may not be named."""
    if spoken is None:
        return Judged(said, "", False, "", sentence(f"that names no hand; {why_no_hand(said, seen.rules)}"), "")
    return judged_hand(spoken, seen)


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
    ranks = SHAPES[block.word].ranks
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
