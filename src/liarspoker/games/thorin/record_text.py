"""Text for a round of Thorin's game: the hand as it is passed around, the declarations and the challenge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.session import Reason
from liarspoker.games.cards.wording import (
    describe_claim,
    describe_value,
    format_cards,
    format_value_ranks,
    high_to_low,
)
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, is_discard
from liarspoker.games.thorin.ladder import floor_of, full_claim, spelling_of
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.round import Stint, ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import NOBODY
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.records.words import YOU, name_shown, printable, said_of, sentence

REASONS = {
    "holds": N_("it is at least as good as declared"),
    "falls-short": N_("it is worse than declared"),
    "fits-the-words": N_("it fits the declaration"),
    "beats-the-words": N_("it beats every hand that fits the declaration"),
    "fails-the-words": N_("it neither fits the declaration nor beats every hand that does"),
    "thrown-in": N_("all other players passed, so the hand is discarded and nobody is out"),
    "took-the-top": N_("a hand declared to be the best possible was taken, and it can't be beaten"),
}
"""Reasons of a round's outcome, by rule; messages."""
_CONSEQUENCES = {
    "out": (N_("You are out of the match"), N_("{name} is out of the match")),
    "opens": (N_("You begin the next round"), N_("{name} begins the next round")),
}
"""Consequences of a round's outcome, by rule: the messages for `said_of`."""


def describe_action(action: int) -> str:
    """Describe an action in words.

    >>> describe_action(TAKE), describe_action(PASS)
    ('take', 'pass')
    """
    if action >= 0:
        return describe_claim(spelling_of(action))
    if is_discard(action):
        return describe_discard(cards_of(action))
    if action == CHALLENGE:
        return pgettext("an action", "challenge")
    if action == TAKE:
        return pgettext("an action", "take")
    return pgettext("an action", "pass") if action == PASS else pgettext("an action", "show")


def describe_declaration(claim: int) -> str:
    """Describe a declaration with the weakest hand that fits it, unless the words already list its ranks.

    >>> from liarspoker.core.cards.hand_values import PAIR, STARTS
    >>> a_pair = STARTS[PAIR] << 5
    >>> describe_declaration(a_pair), describe_declaration(full_claim(0))
    ('a pair (at least 2-2-5-4-3)', '7-5-4-3-2 high')
    >>> describe_declaration(full_claim(STARTS[PAIR]))
    'a pair of twos with 5-4-3 kickers (2-2-5-4-3)'
    """
    said, ranks = describe_action(claim), format_value_ranks(floor_of(claim))
    if claim != full_claim(floor_of(claim)):
        # Translators: {hand} is a message such as "a pair", {ranks} the weakest hand that fits it: "2-2-5-4-3".
        return _("{hand} (at least {ranks})", hand=said, ranks=ranks)
    return said if ranks in said else f"{said} ({ranks})"


def describe_discard(cards: tuple[int, ...]) -> str:
    """Describe a discard as an act of some player: the cards, or only their number if none is known.

    >>> describe_discard(()), describe_discard((-1, -1)), describe_discard((0, -1))
    ('keeps all five cards', 'discards 2 cards', 'discards 2c ??')
    """
    if not cards:
        return pgettext("a player", "keeps all five cards")
    if set(cards) == {UNKNOWN}:
        # Translators: what a player does, without their name, as in a list of acts.
        return ngettext("discards {count} card", "discards {count} cards", len(cards))
    return _("discards {cards}", cards=format_cards(cards))


def describe_discard_of(name: str, cards: tuple[int, ...]) -> str:
    """Describe a player's discard: `Ann discards 2c ??`, or `You keep all five cards`."""
    if not cards:
        return said_of(name, N_("You keep all five cards"), N_("{name} keeps all five cards"))
    if set(cards) != {UNKNOWN}:
        return said_of(name, N_("You discard {cards}"), N_("{name} discards {cards}"), cards=format_cards(cards))
    if name == YOU:
        return ngettext("You discard {count} card", "You discard {count} cards", len(cards))
    return ngettext("{name} discards {count} card", "{name} discards {count} cards", len(cards), name=name)


def describe_round(session: ThorinSession, players: tuple[str, ...]) -> list[str]:
    """Describe the current round line by line: the hand as it is passed around, the declarations and the result."""
    dealt = session.round
    assert dealt is not None
    names = tuple(map(printable, players))
    begins = N_("Round {number}: You begin."), N_("Round {number}: {name} begins.")
    lines = [said_of(names[dealt.terms.opener], *begins, number=dealt.terms.number + 1)]
    lines += [f"  {format_named_option(*named)}" for named in dealt.terms.named]
    lines += [f"  {line}" for line in _describe_moves(dealt, names)]
    result = session.round_result
    if result is None:
        return [*lines, f"  {_whose_turn(session, names)}"]
    return [*lines, *(f"  {line}" for line in describe_outcome(result, names))]


def format_named_option(name: str, value: object) -> str:
    """Format an option that was chosen for the round: `option for this round: passes = 1`."""
    shown = str(value).lower() if isinstance(value, bool) else value
    return _("option for this round: {name} = {value}", name=name, value=shown)


def _describe_moves(dealt: ThorinRound, names: tuple[str, ...]) -> Iterator[str]:
    stints = iter(dealt.stints)
    stint = next(stints)
    draws = N_("You draw {cards}"), N_("{name} draws {cards}")
    yield said_of(names[stint.seat], *draws, cards=_format_hand(stint.taken))
    for seat, action in dealt.moves:
        if action == TAKE:
            stint = next(stints)
            yield f"{name_shown(names[seat])}: {describe_action(action)} ({_format_hand(stint.taken)})"
        elif is_discard(action):
            yield _describe_exchange(names[seat], stint)
        else:
            yield f"{name_shown(names[seat])}: {describe_action(action)}"


def _format_hand(hand: tuple[int, ...]) -> str:
    return _("an unknown hand") if set(hand) == {UNKNOWN} else format_cards(high_to_low(hand))


def _describe_exchange(name: str, stint: Stint) -> str:
    """Describe what a player discarded and drew: `Ann discards 2s, draws 9h`."""
    discarded = describe_discard_of(name, stint.discarded)
    if not stint.discarded or set(stint.drawn) == {UNKNOWN}:
        return discarded
    # Translators: {discarded} is a message such as "You discard 2s" or "Ann discards 2s", who then draw the cards.
    words = N_("{discarded}, draw {cards}"), N_("{discarded}, draws {cards}")
    return said_of(name, *words, discarded=discarded, cards=format_cards(stint.drawn))


def describe_outcome(result: ThorinRoundResult, names: tuple[str, ...]) -> list[str]:
    """Describe the result: the hand and the declaration, who is out, who begins the next round."""
    lines = [] if result.hand is None else _describe_hand(result)
    lines += [sentence(describe_reason(reason, names)) for reason in result.why]
    if result.next_opener is not None:
        lines.append(_("Still in: {names}.", names=", ".join(name_shown(names[seat]) for seat in result.alive)))
    return lines


def _describe_hand(result: ThorinRoundResult) -> list[str]:
    """Describe the hand that was shown, and the declaration."""
    assert result.hand is not None
    assert result.hand_value is not None
    return [
        _(
            "The hand is {cards}: {hand}.",
            cards=format_cards(high_to_low(result.hand)),
            hand=describe_value(result.hand_value),
        ),
        _("It was declared to be {hand}.", hand=describe_declaration(result.final_claim)),
    ]


def describe_reason(reason: Reason, names: tuple[str, ...]) -> str:
    """Describe one consequence or reason of the outcome; the amounts of `out` and `opens` are seats.

    >>> describe_reason(Reason("out", 1), ("Ann", "Bob")), describe_reason(Reason("holds", 5000), ("Ann", "Bob"))
    ('Bob is out of the match', 'it is at least as good as declared')
    """
    if reason.rule in _CONSEQUENCES:
        return said_of(names[reason.amount], *_CONSEQUENCES[reason.rule])
    return _(REASONS[reason.rule])


def _whose_turn(session: ThorinSession, names: tuple[str, ...]) -> str:
    assert session.to_act is not None
    assert session.round is not None
    legal, state, name = session.legal(), session.round.state, names[session.to_act]
    if legal.discard:
        discard = N_("It is your turn: discard up to five cards."), N_("It is {name}'s turn: discard up to five cards.")
        return said_of(name, *discard)
    if legal.show:
        return said_of(name, N_("It is your turn: show the hand."), N_("It is {name}'s turn: show the hand."))
    if state.claimant != NOBODY and legal.answers:
        # Translators: {actions} is a message such as "challenge" or "take or challenge".
        answer = N_("It is your turn: {actions}."), N_("It is {name}'s turn: {actions}.")
        return said_of(name, *answer, actions=one_of(map(describe_action, legal.answers)))
    declare = (
        N_("It is your turn: declare a hand better than {hand}."),
        N_("It is {name}'s turn: declare a hand better than {hand}."),
    )
    return said_of(name, *declare, hand=format_value_ranks(floor_of(state.claim)))


def one_of(texts: Iterable[str]) -> str:
    """Return a choice in words: `take, challenge or pass`."""
    *others, last = texts
    return _("{values} or {last}", values=", ".join(others), last=last) if others else last
