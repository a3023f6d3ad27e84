"""Evenings at a live table, played at random and dealt fairly: any game and options, nonces, picks, rounds broken off.

Everything is drawn from one `random.Random`, so that Hypothesis can shrink it and a loop can seed it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from dataclasses import replace as changed
from random import Random
from typing import Any, cast

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.session import Game, RoundSetup, Session
from liarspoker.games.digits.game import DigitGame
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.thorin.options import NAMED_OPTIONS
from liarspoker.records import document_of, replay
from liarspoker.tables.fair import Shares, deal_key, dealt, draw_of, nonce_commitment
from liarspoker.tables.fair.document import FULL, LEAVES, KeptDeal, audit_document, parts_drawn
from liarspoker.tables.fair.leaves import texts_of
from tests.records.cards.random_matches import random_actions as card_actions
from tests.records.cards.random_matches import random_changes, random_losses
from tests.records.sessions import random_actions as digit_actions
from tests.records.sessions import random_options

Document = dict[str, Any]

GAME_IDS = tuple(row.id for row in catalogue.games())


@dataclass
class Evening:
    """A table: what it has dealt, and the records that it has closed."""

    chance: Random
    table: str
    deals: list[KeptDeal] = field(default_factory=list)
    records: list[Document] = field(default_factory=list)

    def document(self, audit: str = FULL) -> Document:
        """Its audit document; where seeds are kept, with all that the records show proved."""
        return audit_document(self.table, audit, self.records, self.deals)

    def play(self, game: Game, session: Session, rounds: int, agreed: int | None = None) -> None:
        """One record of up to so many rounds; its first opener may be one whom the table knows already."""
        for _ in range(rounds):
            if session.winner is not None or session.in_play:
                break
            named = self._named(session)
            if self.chance.random() < 0.15:
                self._deal(game, session, named, agreed)
            deal, lot = self._deal(game, session, named, agreed, (len(self.records), session.rounds_played))
            opener = lot if agreed is None else agreed
            begun = (
                session.deal(deal, RoundSetup(opener))
                if named is None
                else cast(Any, session).deal(deal, RoundSetup(opener, options=named))
            )
            session = self._played(begun)
            agreed = None
        self.records.append(document_of(game, session, [f"Player {seat}" for seat in range(session.seats)]))

    def _named(self, session: Session) -> dict[str, object] | None:
        options = cast(Any, session).setup.options
        return random_changes(self.chance, NAMED_OPTIONS) if getattr(options, "dealers_choice", False) else None

    def _deal(
        self,
        game: Game,
        session: Session,
        named: dict[str, object] | None,
        agreed: int | None,
        record: tuple[int, int] | None = None,
    ) -> tuple[Any, int | None]:
        """What the next deal of the table is; it is kept."""
        kept = changed(
            random_deal(self.chance, game.row.id, session.seats, self.table, len(self.deals)),
            draw=draw_of(session, named, lots=agreed is None),
            record=record,
        )
        self.deals.append(kept)
        key = deal_key(kept.seed, self.table, len(self.deals) - 1, kept.game, kept.shares)
        return dealt(session, key, named)

    def _played(self, session: Any) -> Session:
        to_the_end = self.chance.random() < 0.9
        digits = hasattr(session, "ledger")
        actions = (
            digit_actions(self.chance, session, to_the_end)
            if digits
            else card_actions(self.chance, session, to_the_end)
        )
        for action in actions:
            session = session.apply(action)
        return cast(Session, session)


def random_deal(chance: Random, game: str, seats: int, table: str, number: int) -> KeptDeal:
    """What server and players give to a deal: seats without a script, nonces kept back, picks here and there."""
    promises: list[bytes | None] = []
    nonces, withheld = [], []
    chairs = chance.sample(range(seats + 3), seats)
    for seat in range(seats):
        nonce = chance.randbytes(chance.choice([1, 16, 32, 32, 64]))
        has_script, opened = chance.random() < 0.8, chance.random() < 0.9
        promises.append(nonce_commitment(nonce, table, number, chairs[seat]) if has_script else None)
        nonces.append(nonce if has_script and opened else b"")
        if has_script and not opened:
            withheld.append(seat)
    picks = tuple(chance.choice([None, 0, 1, chance.randrange(2**53)]) for _ in range(seats))
    shares = Shares(tuple(nonces), picks)
    seed = chance.randbytes(32)
    return KeptDeal(game, {"lots": None}, seed, tuple(promises), shares, tuple(withheld), chairs=tuple(chairs))


def random_session(chance: Random, game: Game) -> Session:
    """A session of a game before its first round, with any options."""
    seats = chance.choice([2, 2, 3, 3, 4, 5])
    if game.row.family == "digits":
        digits = cast(DigitGame, game)
        from_slips = digits.row.slips and chance.random() < 0.5
        options = random_options(chance, digits, from_slips)
        return game.session(min(seats, 3) if options.loose_order else seats, options, from_slips)
    options = game.options(random_changes(chance, cast(Any, game.option_infos)))
    if game.row.family == "queen_annes":
        return cast(Session, cast(Any, game).session(seats, options, losses=random_losses(chance, seats)))
    return game.session(seats, options)


def random_evening(chance: Random, game_id: str | None = None, most_rounds: int = 4) -> Evening:
    """A table with one record or two, the second with an opener whom the table knows."""
    evening = Evening(chance, f"table-{chance.randrange(10**6)}")
    for number in range(chance.choice([1, 1, 2])):
        game = catalogue.load(game_id or chance.choice(GAME_IDS))
        session = random_session(chance, game)
        agreed = chance.choice(session.alive) if number else None
        evening.play(game, session, chance.choice([1, 2, most_rounds]), agreed)
    return evening


def leaves_only(evening: Evening) -> Document:
    """The document of the same table where seeds are kept: some hands hidden, and what is shown is proved."""
    records = [hiding(evening.chance, record) for record in evening.records]
    deals = []
    for number, kept in enumerate(evening.deals):
        key = deal_key(kept.seed, evening.table, number, kept.game, kept.shares)
        paths = tuple(texts_of(parts_drawn(kept.game, kept.seats, kept.draw, key)))
        deals.append(changed(kept, shown=() if kept.record is None else paths))
    return Evening(evening.chance, evening.table, deals, records).document(LEAVES)


def hiding(chance: Random, record: Document) -> Document:
    """The same record with some numbers hidden, each round telling the counts."""
    sessions = replay(record).rounds
    rounds = []
    for told, session in zip(record["rounds"], sessions, strict=True):
        numbers = told.get("deal", ())
        if not numbers or isinstance(numbers[0], list) or session.in_play:
            rounds.append(told)
            continue
        hidden = [HIDDEN * len(number) if chance.random() < 0.5 else number for number in numbers]
        rounds.append({**told, "deal": hidden, "counts": list(session.round_result.counts)})
    return {**record, "rounds": rounds}


@st.composite
def evenings(draw: st.DrawFn, most_rounds: int = 4) -> Evening:
    """`random_evening` with chance in Hypothesis's hands."""
    game_id = draw(st.sampled_from(GAME_IDS))
    return random_evening(draw(st.randoms(use_true_random=False)), game_id, most_rounds)
