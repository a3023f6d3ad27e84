"""The ready phase between two rounds: players get ready, open nonces and choose face down; then the round is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import FaceDownChoice
from liarspoker.language import N_, _
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.deals import key_of, next_deal, root_and_opener
from liarspoker.tables.fair.deal import Shares, nonce_commitment, seed_commitment
from liarspoker.tables.reducers import with_seed
from liarspoker.tables.refused import Refused
from liarspoker.tables.seating import absence
from liarspoker.tables.settings import table_rules
from liarspoker.tables.state import (
    NONCE_SECONDS,
    READY_PHASE,
    WAITING,
    ReadyPhase,
    Table,
    pick_deadline,
    ready_deadline,
)

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft


def start(draft: Draft, command: c.Start) -> None:
    """Start the first ready phase."""
    draft.only_owner(N_("only the table's owner can start"))
    if draft.table.stage != WAITING:
        raise Refused("started", _("this table has already been started"))
    if draft.chair.away:
        draft.emit(e.SatOut(draft.context.user, away=False))
    if len(draft.table.users_of_next) < 2:
        raise Refused("too-few", _("at least two players are needed; wait for someone to join, or add a bot"))
    begin_ready_phase(draft)
    ready(draft, command)


def begin_ready_phase(draft: Draft) -> None:
    """Start a ready phase: commit to the seed of the next deal and wait for players to get ready."""
    table, number = draft.table, len(draft.table.deals)
    seed = draft.context.seed_of(number)
    commitment = seed_commitment(seed, table.deals_id, number).hex()
    draft.emit(e.Gathered(number, commitment, ready_deadline(table, draft.context.now)))
    draft.table = with_seed(draft.table, seed)


def _ready_phase(draft: Draft) -> ReadyPhase:
    if draft.table.stage != READY_PHASE or draft.table.ready_phase is None:
        raise Refused("not-now", _("this is only possible between rounds, before the next deal"))
    if draft.table.paused is not None:
        raise Refused("paused", _("the table is paused"))
    return draft.table.ready_phase


def ready(draft: Draft, command: c.Ready) -> None:
    """Mark the sender as ready for the next round."""
    ready_phase, chair = _ready_phase(draft), draft.chair
    if chair.user in ready_phase.ready:
        raise Refused("ready", _("you are already ready"))
    if ready_phase.opening:
        raise Refused("not-now", _("the deal has already begun; you can play in the next one"))
    if chair.away:
        draft.emit(e.SatOut(chair.user, away=False))
    # The players of an event have contributed to all its deals, so that they are the same at all tables.
    draft.emit(e.Readied(chair.user, command.nonce_commitment if draft.table.event is None else None))


def open_nonce(draft: Draft, command: c.OpenNonce) -> None:
    """Open the nonce that the sender committed to."""
    ready_phase, user = _ready_phase(draft), draft.chair.user
    commitment = ready_phase.nonce_commitments.get(user)
    if not ready_phase.opening:
        raise Refused("not-now", _("nonces are opened once everyone is ready"))
    if commitment is None or user in ready_phase.nonces:
        raise Refused("no-commitment", _("you have no unopened nonce commitment"))
    nonce = bytes.fromhex(command.nonce)
    chair = draft.table.chair_number(user)
    assert chair is not None
    if not nonce or nonce_commitment(nonce, draft.table.id, ready_phase.deal, chair).hex() != commitment:
        raise Refused("wrong-nonce", _("this nonce doesn't match your commitment"))
    draft.emit(e.Opened(user, command.nonce))


def pick(draft: Draft, command: c.Pick) -> None:
    """Choose a bill, slip or cut face down."""
    _ready_phase(draft)
    chooser = next_to_pick(draft.table)
    if chooser is None or not everybody_ready(draft.table):
        raise Refused("not-now", _("nothing can be chosen right now"))
    if chooser != draft.context.user:
        raise Refused("not-your-turn", _("it's {name}'s turn to choose", name=draft.table.names[chooser]))
    free = free_picks(draft.table)
    if command.choice not in free:
        raise Refused(
            "taken",
            _(
                "choice {choice}: not available; choose one of {free}",
                choice=command.choice,
                free=", ".join(map(str, free)),
            ),
        )
    draft.emit(e.Picked(chooser, command.choice))


def name_options(draft: Draft, command: c.NameOptions) -> None:
    """Name the options of the next round."""
    ready_phase, table = _ready_phase(draft), draft.table
    if ready_phase.choosing or ready_phase.opening:
        raise Refused("not-now", _("the deal has already begun; options are named before it"))
    if naming_user(table) != draft.context.user:
        raise Refused(
            "not-your-turn",
            _("only the player who opens the next round can name its options, and only at a dealer's choice table"),
        )
    try:
        next_deal(table).session.check_round_options(command.options)
    except LiarsPokerError as error:
        raise Refused(error.code, str(error)) from error
    draft.emit(e.Named(draft.context.user, command.options))


def naming_user(table: Table) -> str | None:
    """Return the user who may name the options of the next round; `None` if nobody may.

    That is the player who opens the round, or the owner if the opener will be drawn at random.
    """
    if table.ready_phase is None or not table.settings.options.get("dealers_choice") or len(table.users_of_next) < 2:
        return None
    before = next_deal(table)
    opener = before.opener
    if opener is None and not before.session.chance_spec().opener:
        opener = before.session.carry_over().opener
    return table.owner if opener is None else before.users[opener]


def ask_numbers(draft: Draft, command: c.AskNumbers) -> None:
    """Show the numbers of the hand that was just counted."""
    table = draft.table
    user = draft.chair.user
    if table.sitting is None or table.sitting.seat_of(user) is None:
        raise Refused("not-seated", _("only players of this hand can ask to see its numbers"))
    last = table.sitting.session.rounds_played - 1
    if all((last, seat) in table.sitting.shown for seat in range(table.sitting.session.seats)):
        raise Refused("shown", _("the numbers have already been shown"))
    try:
        table.sitting.session.show_numbers()
    except LiarsPokerError as error:
        raise Refused(error.code, str(error)) from error
    draft.emit(e.NumbersShown(user))


def show_hand(draft: Draft, command: c.Show) -> None:
    """Show the sender's hand of the round that just ended."""
    user = draft.chair.user
    if not may_show(draft.table, user):
        raise Refused("nothing-hidden", _("you have no hidden hand; you can show one between rounds"))
    draft.emit(e.HandShown(user))


def may_show(table: Table, user: str) -> bool:
    """Whether `user` has a hand of the round that just ended that nobody else has seen."""
    sitting = table.sitting
    seat = None if sitting is None else sitting.seat_of(user)
    if sitting is None or seat is None or table.stage != READY_PHASE or table.chair_of(user) is None:
        return False
    is_shown = (sitting.session.rounds_played - 1, seat) in sitting.shown
    return not is_shown and bool(table_rules(table.settings.game).hidden_hand(sitting.session, seat))


def awaited_users(table: Table) -> tuple[str, ...]:
    """Return the people who play the next round and aren't ready; players who sit out are not awaited."""
    ready_phase, users = table.ready_phase, table.users_of_next
    if ready_phase is None or len(users) < 2:
        return ()
    return tuple(
        chair.user
        for chair in table.people
        if chair.user in users and not chair.away and not chair.stand_in and chair.user not in ready_phase.ready
    )


def expects_ready(table: Table, user: str) -> bool:
    """Whether `user` is asked to get ready: they play the next round, or only bots do and anyone can start it."""
    ready_phase, users = table.ready_phase, table.users_of_next
    if ready_phase is None or user in ready_phase.ready:
        return False
    return user in users or (len(users) > 1 and all(chair.user not in users for chair in table.people))


def everybody_ready(table: Table) -> bool:
    """Whether the round can be dealt: enough players, all of them ready, and at least one person ready.

    That person may be eliminated from the match, if only bots are left in it. At a table of an event, bots also play on
    if everyone is absent.
    """
    ready_phase = table.ready_phase
    if ready_phase is None or len(table.users_of_next) < 2 or awaited_users(table):
        return False
    return table.event is not None or any(chair.user in ready_phase.ready for chair in table.people)


def face_down_choice(table: Table) -> FaceDownChoice | None:
    """Return what players choose face down before the next deal; `None` for nothing."""
    if not table.settings.choose:
        return None
    before = next_deal(table)
    return before.session.face_down_choice(before.opener)


def pickers(table: Table) -> tuple[str, ...]:
    """Return the users who choose face down before the next deal, in the order given by the rules."""
    choice = face_down_choice(table)
    if choice is None:
        return ()
    before = next_deal(table)
    first = choice.first
    if first is None:
        first = min(range(len(before.users)), key=lambda seat: table.units.get(before.users[seat], 0))
    clockwise = (*before.users[first:], *before.users[:first])
    return clockwise if choice.everybody else clockwise[:1]


def next_to_pick(table: Table) -> str | None:
    """Return the user who chooses next; `None` if nobody does."""
    assert table.ready_phase is not None
    return next((user for user in pickers(table) if user not in table.ready_phase.picks), None)


def free_picks(table: Table) -> tuple[int, ...]:
    """Return the choices that are still available."""
    choice, ready_phase = face_down_choice(table), table.ready_phase
    if choice is None or ready_phase is None:
        return ()
    taken = set(ready_phase.picks.values())
    return tuple(number for number in range(choice.count) if number not in taken)


def deal(draft: Draft) -> None:
    """Deal the next round from everyone's contributions."""
    table, ready_phase, now = draft.table, draft.table.ready_phase, draft.context.now
    assert ready_phase is not None
    before = next_deal(table)
    named = dict(ready_phase.named) if ready_phase.named_by == naming_user(table) else {}
    for proposal in table.proposals:
        if proposal.kind == "stake":  # it was meant for the hand that is dealt now
            draft.emit(e.Settled(proposal.number, agreed=False))
    nonces = tuple(ready_phase.nonces.get(user, "") for user in before.users)
    picks = tuple(ready_phase.picks.get(user) for user in before.users)
    key = key_of(table, ready_phase.deal, ready_phase.seed, Shares(tuple(map(bytes.fromhex, nonces)), picks))
    root, random_opener = root_and_opener(table, before, key, named)
    opener = random_opener if before.opener is None else before.opener
    stake = before.stake if table.stake is None else table.stake
    carried = True if table.stake is None and stake is not None else UNSET
    draft.emit(
        e.Dealt(
            ready_phase.deal,
            before.users,
            before.fresh,
            before.losses,
            opener,
            stake,
            named,
            nonces,
            picks,
            root,
            now,
            carried,
        )
    )


def opening_due(table: Table) -> bool:
    """Whether committed nonces remain to be opened."""
    ready_phase = table.ready_phase
    assert ready_phase is not None
    users = next_deal(table).users
    return any(user in ready_phase.nonce_commitments and user not in ready_phase.nonces for user in users)


def begin_opening(draft: Draft) -> None:
    """Ask players to open their nonces."""
    draft.emit(e.Opening(draft.table.users_of_next, draft.context.now + NONCE_SECONDS))


def end_if_all_played(draft: Draft) -> bool:
    """Close the table if it has played its number of rounds; return whether it did.

    An unfinished match is played to its end first, except in an event, whose tables all play the same number of rounds.
    """
    table, most = draft.table, draft.table.settings.rounds
    if most is None or table.rounds_played < most or (table.match is not None and table.event is None):
        return False
    draft.emit(e.Ended("the rounds that were agreed on have been played"))
    return True


def step(draft: Draft) -> bool:
    """Take one automatic step of the ready phase; return `False` if there is none."""
    table, ready_phase = draft.table, draft.table.ready_phase
    assert ready_phase is not None
    if end_if_all_played(draft):
        return True
    if not ready_phase.opening:
        if not everybody_ready(table):
            return False
        chooser = next_to_pick(table)
        if chooser is not None:
            return _step_of_choosing(draft, chooser)
        if opening_due(table):
            begin_opening(draft)
            return True
    elif opening_due(table):
        return False
    deal(draft)
    return True


def _step_of_choosing(draft: Draft, chooser: str) -> bool:
    table = draft.table
    assert table.ready_phase is not None
    chair = table.chair_of(chooser)
    if chair is None or chair.played_by or chair.away:
        draft.emit(e.Picked(chooser, free_picks(table)[0]))
        return True
    if not table.ready_phase.choosing:
        draft.emit(e.Choosing(pick_deadline(table, draft.context.now)))
        return True
    return False


def expire(draft: Draft) -> None:
    """Act on an expired deadline: of nonces, of a choice, or of players who aren't ready."""
    table, ready_phase = draft.table, draft.table.ready_phase
    assert ready_phase is not None
    if ready_phase.opening:
        deal(draft)
        return
    chooser = next_to_pick(table) if everybody_ready(table) else None
    if chooser is not None:
        draft.emit(e.Picked(chooser, free_picks(table)[0]))
        return
    draft.emit(e.ClockStarted(None))
    late = awaited_users(table)
    sitting_out = _not_coming(table, late, draft.context.now) if table.settings.days else late
    for user in sitting_out:
        draft.emit(absence(table, user))
    for user in late:
        if user not in sitting_out:
            draft.emit(e.Readied(user))
    if table.settings.days and table.match is not None and not late:
        draft.emit(e.Readied(table.people[0].user))  # only bots are left in the match, and they play on


def _not_coming(table: Table, late: tuple[str, ...], now: float) -> tuple[str, ...]:
    """Return those of the `late` users who sit out the next hand of a correspondence table, which the others play.

    Their time ran out in the last hand; or they are on vacation, and two others can play without them.
    """
    lapsed = frozenset() if table.sitting is None else table.sitting.lapsed
    on_vacation = {chair.user for chair in table.people if chair.vacation > now}
    if table.match is not None or len({*table.users_of_next} - lapsed - on_vacation) < 2:
        on_vacation = set()
    return tuple(user for user in late if user in lapsed | on_vacation)
