"""Records of Queen Anne's games: hands, extra cards, losses, and the report of each round in a replay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import cast

from liarspoker.core.cards.claims import NO_SUIT, Spelling, read_spelling
from liarspoker.core.cards.deck import card_text, full_deck, read_cards
from liarspoker.core.cards.hand_values import STRAIGHTS, WHEEL_TOP
from liarspoker.core.cards.match import check_opener
from liarspoker.core.errors import NO_SUCH_CLAIM, BadDeal, IllegalAction
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.cards.spoken_claims import parse_spoken_claim
from liarspoker.games.cards.wording import describe_claim
from liarspoker.games.queen_annes import record_text
from liarspoker.games.queen_annes.ladder import claim_of, ladder_length, named_hand
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules
from liarspoker.games.queen_annes.record_text import describe_action
from liarspoker.games.queen_annes.round import Extra, QueenAnnesChance, QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesGame, QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NOBODY, challenger_of
from liarspoker.language import N_, _
from liarspoker.records.family import MAX_LISTED_ACTIONS, RecordFormat, Table
from liarspoker.records.schema import BOOLEAN, INTEGER, INTEGERS, LISTS_OF_STRINGS, STRING, STRINGS, Key, check

MOST_JOKERS = 2

_KEYS = {
    "kind": Key(STRING, required=True),
    "jokers": Key(INTEGER, required=True),
    "hand_sizes": Key(INTEGERS, required=True),
    "extras": Key(BOOLEAN, required=True),
}
_CLAIM = re.compile(r"\s*claim\s+(\S.*)", re.DOTALL)
# Translators: hands as players type them, with an explanation in brackets.
_HOW_TO_NAME = N_(
    "high 4, pair 7, two-pair J8, three 4, straight 9 (nine high), flush KJ752 c, full-house AT, four 2, "
    "straight-flush 9 h, royal-flush s"
)


class QueenAnnesRecords(RecordFormat[QueenAnnesSession]):
    """Record format of Queen Anne's games."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """Return the key `losses`: each player's losses when the match begins."""
        return {"losses": Key(INTEGERS)}

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """Return the keys of a round, with `extras` in games with extra cards."""
        keys = {"opener": Key(INTEGER), "deal": Key(LISTS_OF_STRINGS, required=True)}
        return {**keys, "extras": Key(STRINGS)} if cast(QueenAnnesGame, game).preset.dealing.faces else keys

    def begin(self, game: Game, record: Table, options: QueenAnnesOptions) -> QueenAnnesSession:
        """Return the match before its first round."""
        return cast(QueenAnnesGame, game).session(len(record["players"]), options, losses=record.get("losses"))

    def deal(self, session: QueenAnnesSession, record: Table, table: Table) -> QueenAnnesSession:
        """Return the match with the round of `table` dealt."""
        opener = table.get("opener")
        session.chance_spec()
        check_opener(opener, session.alive)
        drawn = QueenAnnesDeal(tuple(map(read_cards, table["deal"])), read_cards(table.get("extras", ())))
        return session.deal(drawn, RoundSetup(opener))

    def read_spoken(self, session: QueenAnnesSession, text: str) -> int | None:
        """Return the claim that `text` makes in words; `None` if it isn't one."""
        match = _CLAIM.fullmatch(text)
        spelt = parse_spoken_claim(match[1]) if match else None
        claim = None if spelt is None else claim_of(spelt, session.setup.rules)
        if spelt is not None and claim is None:
            raise IllegalAction(text, NO_SUCH_CLAIM)
        return claim

    def explain(self, session: QueenAnnesSession, text: str, error: IllegalAction) -> str:
        """Explain why `text` is rejected."""
        action = text if isinstance(error.action, str) else describe_action(error.action, session.setup.rules)
        if error.code == "round-over":
            return _("the round is over; the challenge ended it")
        if error.code == "unreadable-action":
            return _(
                "{text} isn't an action of this game; write claim and a hand ({examples}), or challenge",
                text=repr(text),
                examples=_(_HOW_TO_NAME),
            )
        if error.code == "no-such-claim":
            # Translators: {examples} are hands as players type them, such as "pair 7".
            completely = _("write the complete hand, high ranks first: {examples}", examples=_(_HOW_TO_NAME))
            # Translators: {reason} is a message that begins with a small letter.
            return _(
                "{text} isn't a hand that can be named here; {reason}",
                text=repr(action),
                reason=why_no_hand(action, session.setup.rules) or completely,
            )
        if error.code == "wrong-phase":
            return f"{text}: {_who_may_not_challenge(session, error)}"
        return _(
            "{hand} does not beat {standing}; name a higher hand, or challenge",
            hand=action,
            standing=_standing_hand(session),
        )

    def report(self, session: QueenAnnesSession) -> Table:
        """Return the report of the current round: the result, or the state with the legal actions."""
        return _in_play(session) if session.in_play else _challenged(session)

    def record_parts(self, session: QueenAnnesSession, rounds: int | None = None) -> Table:
        """Return the losses with which the match began, if there were any."""
        return {"losses": list(session.setup.losses)} if any(session.setup.losses) else {}

    def read_draw(self, parts: Table, seats: int) -> QueenAnnesChance:
        """Return what a round draws, from its parts."""
        check(parts, _KEYS, "draw")
        sizes, jokers = parts["hand_sizes"], parts["jokers"]
        if parts["kind"] != "hands":
            raise BadDeal(_("draw: kind must be hands in this game"))
        if not 0 <= jokers <= MOST_JOKERS:
            raise BadDeal(_("draw: jokers must be from 0 to {most}", most=MOST_JOKERS))
        if len(sizes) != seats or min(sizes) < 0 or sum(sizes) > len(full_deck(jokers)):
            raise BadDeal(
                _(
                    "draw: hand_sizes must be {seats} numbers of 0 or more that sum to at most the cards in the deck",
                    seats=seats,
                )
            )
        return QueenAnnesChance(tuple(sizes), jokers, parts["extras"])

    def describe_round(self, session: QueenAnnesSession, players: tuple[str, ...]) -> list[str]:
        """Describe the current round line by line: the deal, the claims and the result."""
        return record_text.describe_round(session, players)


RECORDS = QueenAnnesRecords()


def why_no_hand(text: str, rules: QueenAnnesRules) -> str:
    """Explain why the hand of a claim can't be named, given the table's options; empty if `text` isn't a hand."""
    words = text.strip().removeprefix("claim")
    named = read_spelling(words) or parse_spoken_claim(words)
    if named is not None and named.word not in {named_hand(claim, rules).word for claim in range(ladder_length(rules))}:
        return _("{hand} isn't a hand of this game", hand=describe_claim(Spelling(named.word)))
    if named is not None and named.word == "flush" and not rules.flush_of_straight and _in_a_row(named):
        return _("five cards of one suit in sequence are a straight flush or a royal flush")
    if named is not None and named.word.startswith("straight") and named.ranks == (WHEEL_TOP,) and not rules.wheel:
        return _("A-2-3-4-5 isn't a straight at this table")
    return ""


def _in_a_row(named: Spelling) -> bool:
    return named.suit != NO_SUIT and frozenset(named.ranks) in STRAIGHTS


def _standing_hand(session: QueenAnnesSession) -> str:
    assert session.round is not None
    return describe_claim(named_hand(session.round.state.claim, session.setup.rules))


def _who_may_not_challenge(session: QueenAnnesSession, error: IllegalAction) -> str:
    """Explain why the seat can't challenge now."""
    assert session.round is not None
    state = session.round.state
    if state.claimant == NOBODY:
        return _("no hand has been named yet; the opener must name one")
    assert isinstance(error.action, int)
    if challenger_of(error.action, state.to_act) == state.claimant:
        return _("players can't challenge a hand that they named themselves")
    return _("that seat is out; only seats that are still in can challenge")


def _challenged(session: QueenAnnesSession) -> Table:
    result = session.round_result
    assert result is not None
    report: Table = {
        "opener": result.opener,
        "final_claim": write_claim(result.final_claim, session.setup.rules),
        "claimant": result.claimant,
        "challenger": result.challenger,
        "exists": result.exists,
        "loser": result.loser,
        "losses": list(result.losses),
        "alive": list(result.alive),
        "next_opener": result.next_opener,
    }
    return {**report, "extras": _extras(result.extras)} if session.setup.rules.extras else report


def _in_play(session: QueenAnnesSession) -> Table:
    """Return the report of an unfinished round."""
    dealt = session.round
    assert dealt is not None
    state, rules = dealt.state, session.setup.rules
    named = state.claimant != NOBODY
    report: Table = {
        "opener": dealt.terms.opener,
        "claim": write_claim(state.claim, rules) if named else None,
        "claimant": state.claimant if named else None,
        "to_act": session.to_act,
        "phase": session.phase,
        "alive": list(session.alive),
        "losses": list(session.losses),
        "legal": _legal(session),
    }
    return {**report, "extras": _extras(dealt.extras)} if rules.extras else report


def _legal(session: QueenAnnesSession) -> Table:
    legal = session.legal()
    report: Table = {
        "min_claim": None if legal.min_claim is None else write_claim(legal.min_claim, session.setup.rules),
        "challenge": CHALLENGE in legal.answers,
    }
    if len(legal.claims) + len(legal.answers) <= MAX_LISTED_ACTIONS:
        report["actions"] = [session.write(action) for action in legal.actions]
    return report


def _extras(extras: Iterable[Extra]) -> list[Table]:
    return [
        {
            "seat": extra.seat,
            "turn": extra.turn,
            "card": card_text(extra.card),
            "face": "up" if extra.face_up else "down",
        }
        for extra in extras
    ]
