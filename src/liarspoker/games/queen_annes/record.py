"""The records of Queen Anne's games: hands, further cards, losses, and what a replay reports of each round."""

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
from liarspoker.games.cards.record_spoken import spoken_claim
from liarspoker.games.cards.record_words import claim_in_words
from liarspoker.games.queen_annes import record_text
from liarspoker.games.queen_annes.ladder import claim_of, ladder_length, named_hand
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules
from liarspoker.games.queen_annes.record_text import said_of
from liarspoker.games.queen_annes.round import Extra, QueenAnnesChance, QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesGame, QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NOBODY, challenger_of
from liarspoker.records.family import MOST_ACTIONS_LISTED, RecordFormat, Table
from liarspoker.records.shapes import LISTS_OF_TEXTS, ON_OFF, TEXT, TEXTS, WHOLE, WHOLES, Key, check

MOST_JOKERS = 2

_KEYS = {
    "kind": Key(TEXT, required=True),
    "jokers": Key(WHOLE, required=True),
    "hand_sizes": Key(WHOLES, required=True),
    "extras": Key(ON_OFF, required=True),
}
_CLAIM = re.compile(r"\s*claim\s+(\S.*)", re.DOTALL)
_HOW_TO_NAME = (
    "high 4, pair 7, two-pair J8, three 4, straight 9 (its top), flush KJ752 c, full-house AT, four 2, "
    "straight-flush 9 h, royal-flush s"
)


class QueenAnnesRecords(RecordFormat[QueenAnnesSession]):
    """How Queen Anne's games are written to records."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """`losses`, with which a match may begin."""
        return {"losses": Key(WHOLES)}

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """A round's keys; `extras` where further cards come off the deck."""
        keys = {"opener": Key(WHOLE), "deal": Key(LISTS_OF_TEXTS, required=True)}
        return {**keys, "extras": Key(TEXTS)} if cast(QueenAnnesGame, game).row.dealing.faces else keys

    def begin(self, game: Game, record: Table, options: QueenAnnesOptions) -> QueenAnnesSession:
        """The match before its first round."""
        return cast(QueenAnnesGame, game).session(len(record["players"]), options, losses=record.get("losses"))

    def deal(self, session: QueenAnnesSession, record: Table, table: Table) -> QueenAnnesSession:
        """The match with the round of `table` dealt."""
        opener = table.get("opener")
        session.chance_spec()
        check_opener(opener, session.alive)
        drawn = QueenAnnesDeal(tuple(map(read_cards, table["deal"])), read_cards(table.get("extras", ())))
        return session.deal(drawn, RoundSetup(opener))

    def spoken(self, session: QueenAnnesSession, text: str) -> int | None:
        """The hand that `text` claims in words; `None` if it claims none."""
        said = _CLAIM.fullmatch(text)
        spelt = spoken_claim(said[1]) if said else None
        claim = None if spelt is None else claim_of(spelt, session.setup.rules)
        if spelt is not None and claim is None:
            raise IllegalAction(text, NO_SUCH_CLAIM)
        return claim

    def explain(self, session: QueenAnnesSession, text: str, error: IllegalAction) -> str:
        """Why `text` is refused in one of Queen Anne's games."""
        said = text if isinstance(error.action, str) else said_of(error.action, session.setup.rules)
        if error.code == "round-over":
            return "the round is over; the challenge has ended it"
        if error.code == "unreadable-action":
            return f"{text!r} is no action of this game; write claim and a hand ({_HOW_TO_NAME}), or challenge"
        if error.code == "no-such-claim":
            return f"{said!r}: no such hand can be named here; {why_no_hand(said, session.setup.rules)}"
        if error.code == "wrong-phase":
            return f"{text}: {_who_may_not_challenge(session, error)}"
        return f"{said} does not beat {_standing_hand(session)}; name a higher hand, or challenge"

    def report(self, session: QueenAnnesSession) -> Table:
        """The round on the table: how its challenge came out, or what stands, who is to act, and what is legal."""
        return _in_play(session) if session.in_play else _challenged(session)

    def record_parts(self, session: QueenAnnesSession, rounds: int | None = None) -> Table:
        """The losses with which the match began, if there were any."""
        return {"losses": list(session.setup.losses)} if any(session.setup.losses) else {}

    def read_draw(self, parts: Table, seats: int) -> QueenAnnesChance:
        """What a round draws, from its parts."""
        check(parts, _KEYS, "draw")
        sizes, jokers = parts["hand_sizes"], parts["jokers"]
        if parts["kind"] != "hands":
            raise BadDeal("draw: kind should be hands in this game")
        if not 0 <= jokers <= MOST_JOKERS:
            raise BadDeal(f"draw: jokers should be 0 to {MOST_JOKERS}")
        if len(sizes) != seats or min(sizes) < 0 or sum(sizes) > len(full_deck(jokers)):
            raise BadDeal(f"draw: hand_sizes should be {seats}, not below 0, and no more cards than the deck has")
        return QueenAnnesChance(tuple(sizes), jokers, parts["extras"])

    def tell_round(self, session: QueenAnnesSession, players: tuple[str, ...]) -> list[str]:
        """The round on the table, line by line: what was dealt, what was said, how it came out."""
        return record_text.tell_round(session, players)


RECORDS = QueenAnnesRecords()


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


def _challenged(session: QueenAnnesSession) -> Table:
    result = session.round_result
    assert result is not None
    told: Table = {
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
    return {**told, "extras": _extras(result.extras)} if session.setup.rules.extras else told


def _in_play(session: QueenAnnesSession) -> Table:
    """The round in play: what stands, who is to act, and what is legal."""
    dealt = session.round
    assert dealt is not None
    standing, rules = dealt.standing, session.setup.rules
    named = standing.claimant != NOBODY
    told: Table = {
        "opener": dealt.terms.opener,
        "claim": write_claim(standing.claim, rules) if named else None,
        "claimant": standing.claimant if named else None,
        "to_act": session.to_act,
        "phase": session.phase,
        "alive": list(session.alive),
        "losses": list(session.losses),
        "legal": _legal(session),
    }
    return {**told, "extras": _extras(dealt.extras)} if rules.extras else told


def _legal(session: QueenAnnesSession) -> Table:
    legal = session.legal()
    told: Table = {
        "min_claim": None if legal.min_claim is None else write_claim(legal.min_claim, session.setup.rules),
        "challenge": CHALLENGE in legal.answers,
    }
    if len(legal.claims) + len(legal.answers) <= MOST_ACTIONS_LISTED:
        told["actions"] = [session.write(action) for action in legal.actions]
    return told


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
