"""Why an action of a card game is refused, in words, and what would do instead."""

from __future__ import annotations

from liarspoker.core.cards.claims import NO_SUIT, Spelling, read_spelling
from liarspoker.core.cards.hand_values import STRAIGHTS, WHEEL_TOP
from liarspoker.core.errors import IllegalAction
from liarspoker.games.cards.record_spoken import spoken_claim
from liarspoker.games.cards.record_words import claim_in_words, value_in_ranks
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.record_text import said_of as pooled_said
from liarspoker.games.queen_annes.round import challenger_of
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.thorin.actions import CHALLENGE
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of, spelling_of
from liarspoker.games.thorin.notation import write_claim as write_declaration
from liarspoker.games.thorin.record_text import said_of as passed_said
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.standing import DECLARE, DISCARDING, NOBODY, RESPOND

_HOW_TO_NAME = (
    "high 4, pair 7, two-pair J8, three 4, straight 9 (its top), flush KJ752 c, full-house AT, four 2, "
    "straight-flush 9 h, royal-flush s"
)
_HOW_TO_DECLARE = "a category and as many of its ranks as you like, high first: two-pair, two-pair 73, pair _A, high KT"


def explain_pooled(session: QueenAnnesSession, text: str, error: IllegalAction) -> str:
    """Why `text` is refused in one of Queen Anne's games."""
    said = text if isinstance(error.action, str) else pooled_said(error.action, session.setup.rules)
    if error.code == "round-over":
        return "the round is over; the challenge has ended it"
    if error.code == "unreadable-action":
        return f"{text!r} is no action of this game; write claim and a hand ({_HOW_TO_NAME}), or challenge"
    if error.code == "no-such-claim":
        return f"{said!r}: no such hand can be named here; {why_no_hand(said, session.setup.rules)}"
    if error.code == "wrong-phase":
        return f"{text}: {_who_may_not_challenge(session, error)}"
    return f"{said} does not beat {_standing_hand(session)}; name a higher hand, or challenge"


def why_no_hand(text: str, rules: QueenAnnesRules) -> str:
    """Why the hand of a claim cannot be named, the options of the table considered."""
    words = text.strip().removeprefix("claim")
    named = read_spelling(words) or spoken_claim(words)
    if named is not None and named.word not in {named_hand(claim, rules).word for claim in range(ladder_length(rules))}:
        return f"{claim_in_words(Spelling(named.word))} is no hand of this game"
    if named is not None and named.word == "flush" and not rules.flush_of_straight and _in_a_row(named):
        return "five cards of a suit in a row are named a straight flush, as in straight-flush 9 h, or royal-flush s"
    if named is not None and named.word.startswith("straight") and named.ranks == (WHEEL_TOP,) and not rules.wheel:
        return "A-2-3-4-5 is no straight at this table"
    return f"hands are named in full, high ranks first: {_HOW_TO_NAME}"


def _in_a_row(named: Spelling) -> bool:
    return named.suit != NO_SUIT and frozenset(named.ranks) in STRAIGHTS


def _standing_hand(session: QueenAnnesSession) -> str:
    assert session.round is not None
    return claim_in_words(named_hand(session.round.standing.claim, session.setup.rules))


def _who_may_not_challenge(session: QueenAnnesSession, error: IllegalAction) -> str:
    """Why nobody, or not this seat, may challenge now."""
    assert session.round is not None
    standing = session.round.standing
    if standing.claimant == NOBODY:
        return "nothing has been named yet; the opener must name a hand"
    assert isinstance(error.action, int)
    if challenger_of(error.action, standing.to_act) == standing.claimant:
        return "nobody challenges the hand that he has named himself"
    return "that seat is out; only a living seat can challenge"


def explain_passed(session: ThorinSession, text: str, error: IllegalAction) -> str:
    """Why `text` is refused in Thorin's game."""
    dealt = session.round
    assert dealt is not None
    said = text if isinstance(error.action, str) else passed_said(error.action)
    if error.code == "not-stronger":
        return _not_stronger(session, error, said)
    return {
        "round-over": "the round is over",
        "unreadable-action": f"{text!r} is no action of this game; write {_what_may_be_done(session)}",
        "wrong-phase": f"{text}: not now; write {_what_may_be_done(session)}",
        "no-such-claim": f"{said!r}: no hand can be that; write {_HOW_TO_DECLARE}",
        "cannot-take": f"nothing beats {_promise(dealt.standing.claim)}; write {_what_may_be_done(session)}",
        "no-pass-left": f"pass: this player has none left; write {_what_may_be_done(session)}",
        "cards-not-held": f"{text}: the hand that goes around has not these cards; {_which_cards(session)}",
    }[error.code]


def _promise(claim: int) -> str:
    """A declaration and the weakest hand that fits it: `two pair (3-3-2-2-4)`."""
    return f"{claim_in_words(spelling_of(claim))} ({value_in_ranks(floor_of(claim))})"


def _not_stronger(session: ThorinSession, error: IllegalAction, said: str) -> str:
    """A declaration that promises too little, with the weakest one that would do."""
    assert session.round is not None
    assert isinstance(error.action, int)
    claim, least = session.round.standing.claim, session.legal().min_claim
    floor = _promise(claim) if session.round.standing.claimant != NOBODY else "7-5-4-3-2, the worst hand of all"
    assert least is not None  # who takes a hand that nothing beats has lost with his discard
    worst = value_in_ranks(floor_of(error.action))
    return f"{said} may be as little as {worst}, which does not beat {floor}; {write_declaration(least)} would do"


def _what_may_be_done(session: ThorinSession) -> str:
    """The actions of the present phase, as they are written."""
    assert session.round is not None
    phase = session.round.standing.phase
    if phase == DECLARE:
        return f"declare and a hand: {_HOW_TO_DECLARE}"
    if phase == RESPOND:
        answers = session.legal().answers
        return " or ".join("challenge" if answer == CHALLENGE else session.write(answer) for answer in answers)
    return (
        "discard and up to five cards, as in discard TsTd, or discard -" if phase == DISCARDING else "show and the hand"
    )


def _which_cards(session: ThorinSession) -> str:
    assert session.round is not None
    if session.round.standing.phase == DISCARDING:
        return f"discard up to {HAND_CARDS} of its cards, each once, or -"
    return f"show all {HAND_CARDS} of them, as in show AcKdQh7s2s"
