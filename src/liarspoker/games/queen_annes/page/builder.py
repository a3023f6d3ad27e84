"""The claim builder: keys for categories, ranks and suits, a text field, and a verdict on the claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, OPEN_RANK, SHAPES, Spelling, write_spelling
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.cards.hand_values import ACE
from liarspoker.core.errors import LEGAL
from liarspoker.games.cards.spoken_claims import parse_claim, strip_verb
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
from liarspoker.games.queen_annes.page.seen import SeenRound, titled, with_article
from liarspoker.games.queen_annes.record import why_no_hand
from liarspoker.games.queen_annes.record_text import promise
from liarspoker.language import N_, _
from liarspoker.odds.figures import percent
from liarspoker.records.words import sentence

MAX_TYPED = 120
"""Maximum length of a typed claim, in characters."""
_LACKING = (
    N_("Choose one more rank."),
    N_("Choose two more ranks."),
    N_("Choose three more ranks."),
    N_("Choose four more ranks."),
    N_("Choose five ranks."),
)
"""What to do for a flush that lacks one to five ranks."""
_LACKING_SUITED = (
    N_("Choose one more rank and a suit."),
    N_("Choose two more ranks and a suit."),
    N_("Choose three more ranks and a suit."),
    N_("Choose four more ranks and a suit."),
    N_("Choose five ranks and a suit."),
)
"""What to do for a flush that lacks one to five ranks, and its suit."""
_TRY = N_("this isn't a hand. Try: two pair, sevens over threes")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim being built: the action if it is legal, why it is or isn't, and its probability."""

    words: str
    exactly: str
    legal: bool
    action: str
    why: str
    chance: str


@dataclass(frozen=True, slots=True)
class Builder:
    """State of the claim builder.

    Attributes:
        step: the part shown on small screens: `kind` or `cards`.
        said: the text that was typed.
        judged: the verdict on the hand; `None` while it is incomplete.
        figures: whether the keys show probabilities.
    """

    turn: int
    kinds: tuple[Key, ...]
    kind: str
    rows: tuple[Row, ...]
    step: str
    said: str
    judged: Verdict | None
    missing: str
    figures: bool


def builder_of(seen: SeenRound, least: str, turn: int, draft: Mapping[str, str]) -> Builder:
    """Return the claim builder for a draft."""
    fields = draft if draft.get("turn") == str(turn) else {}
    lowest = read_claim(least, seen.rules)
    said = fields.get("spoken", "").strip()[:MAX_TYPED]
    spoken = _parse(said, seen) if said else None
    selected = _selected(fields) if spoken is None else spoken
    blocks = blocks_of(seen.rules)
    block = next((one for one in blocks if one.word == selected.word and one.claims[-1] >= lowest), None)
    if block is None:  # nothing is chosen yet, or a hand that can't be named
        block = next(one for one in blocks if one.claims[-1] >= lowest)
        selected = hand_of(block.word, above(block, lowest)[0]) if not fields else Spelling(block.word)
    whole = _nearest_hand(block, lowest, selected)
    rows = flush_rows(block, lowest, selected, seen) if whole is None else rows_of(block, lowest, whole, seen)
    if block.word == FLUSH and not _is_incomplete(selected):
        whole = selected
    if said and (spoken is None or (whole != spoken and not (spoken.word == block.word and _is_incomplete(spoken)))):
        judged: Verdict | None = _verdict_on_typed(said, spoken, seen)
    else:
        judged = None if whole is None else verdict_on(whole, seen)
    return Builder(
        turn=turn,
        kinds=tuple(kind_key(one, lowest, block.word) for one in blocks),
        kind=block.word,
        rows=rows,
        step=_step(fields, block.word),
        said=said,
        judged=judged,
        missing="" if judged is not None else _missing(selected),
        figures=any(key.figure for row in rows for key in row.keys),
    )


def verdict_on(named: Spelling, seen: SeenRound) -> Verdict:
    """Return the verdict on naming a hand now."""
    claim = claim_of(named, seen.rules)
    if claim is None:
        reason = _no_hand(named, seen)
        if reason:
            # Translators: {reason} is a message that begins with a small letter.
            why = _("This hand can't be named here: {reason}.", reason=reason)
        else:
            why = _("This hand can't be named here.")
        return Verdict(titled(named), "", False, "", why, "")
    legal = seen.refusal(claim) == LEGAL
    if seen.claim == NO_CLAIM:
        why = _("The opener may name any hand.")
    else:
        message = N_("It beats {hand}.") if legal else N_("It does not beat {hand}.")
        why = _(message, hand=with_article(named_hand(seen.claim, seen.rules)))
    chance = seen.chance(named)
    return Verdict(
        words=titled(named),
        exactly=promise(named),
        legal=legal,
        action=f"claim {write_claim(claim, seen.rules)}" if legal else "",
        why=why,
        chance="" if chance is None else percent(chance, 0),
    )


def _no_hand(named: Spelling, seen: SeenRound) -> str:
    return why_no_hand(f"claim {write_spelling(named)}", seen.rules)


def _parse(said: str, seen: SeenRound) -> Spelling | None:
    """Parse the typed hand; return `None` if it isn't one."""
    words = strip_verb(said)
    named = parse_claim(said if words is None else words, lambda spelt: claim_of(spelt, seen.rules) is not None)
    if named is not None and OPEN_RANK in named.ranks:
        return None
    return named


def _is_incomplete(named: Spelling) -> bool:
    """Return whether ranks or the suit are missing."""
    shape = SHAPES.get(named.word)
    if shape is None:
        return False
    return len(named.ranks) < shape.ranks or (shape.suited and named.suit == NO_SUIT)


def _verdict_on_typed(said: str, spoken: Spelling | None, seen: SeenRound) -> Verdict:
    """Return the verdict on typed text that can't be named."""
    if spoken is None:
        why = sentence(why_no_hand(said, seen.rules) or _(_TRY))
        return Verdict(said, "", False, "", why, "")
    return verdict_on(spoken, seen)


def _selected(fields: Mapping[str, str]) -> Spelling:
    """Return the selection of the keys, complete or not; unselected ranks are open.

    Selecting another category clears the ranks and the suit.
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


def _nearest_hand(block: Block, lowest: int, selected: Spelling) -> Spelling | None:
    """Return the legal hand nearest to the selection; `None` for flushes, which are selected completely."""
    if block.word == FLUSH:
        return None
    ranks = SHAPES[block.word].ranks
    chosen = [rank if rank >= 0 else None for rank in selected.ranks[:ranks]]
    chosen += [None] * (ranks - len(chosen)) + [selected.suit if selected.suit != NO_SUIT else None]
    return hand_of(block.word, nearest(above(block, lowest), chosen))


def _missing(selected: Spelling) -> str:
    """Describe what is missing from a flush."""
    lacking = FLUSH_RANKS - len(selected.ranks)
    suited = selected.suit != NO_SUIT
    if not lacking:
        return _("Choose a suit.")
    return _((_LACKING if suited else _LACKING_SUITED)[lacking - 1])


def _step(fields: Mapping[str, str], kind: str) -> str:
    """Return the step to show; a newly selected category leads to its cards."""
    if fields.get("step") in ("kind", "cards"):
        return fields["step"]
    if fields.get("spoken") or (fields and fields.get("kind") != fields.get("was")):
        return "cards"
    return "cards" if fields.get("at") == "cards" else "kind"
