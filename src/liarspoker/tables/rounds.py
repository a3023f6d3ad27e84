"""Between two rounds: who is ready, nonces, what is chosen face down, and the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import FaceDownChoice
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.deals import key_of, prospect, root_and_opener
from liarspoker.tables.fair.deal import Shares, nonce_commitment, seed_commitment
from liarspoker.tables.fold import with_seed
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import (
    GATHERING,
    NONCE_SECONDS,
    WAITING,
    Gathering,
    Table,
    pick_deadline,
    ready_deadline,
)

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft


def start(draft: Draft, command: c.Start) -> None:
    """Close the waiting room."""
    draft.only_owner("start")
    if draft.table.stage != WAITING:
        raise Refused("started", "this table has been started already")
    if draft.chair.away:
        draft.emit(e.SatOut(draft.asker.user, away=False))
    if len(draft.table.users_of_next) < 2:
        raise Refused("too-few", "it takes two to play; wait for somebody, or seat a bot")
    gather(draft)
    ready(draft, command)


def gather(draft: Draft) -> None:
    """Commit to the seed of the next deal, and wait until everybody is ready."""
    table, number = draft.table, len(draft.table.deals)
    commitment = seed_commitment(draft.asker.seed, table.id, number).hex()
    draft.emit(e.Gathered(number, commitment, ready_deadline(table, draft.asker.now)))
    draft.table = with_seed(draft.table, draft.asker.seed)


def _gathering(draft: Draft) -> Gathering:
    if draft.table.stage != GATHERING or draft.table.gathering is None:
        raise Refused("not-now", "no round is being made ready now")
    if draft.table.paused is not None:
        raise Refused("paused", "the table is paused")
    return draft.table.gathering


def ready(draft: Draft, command: c.Ready) -> None:
    """Ask for the next round."""
    gathering, chair = _gathering(draft), draft.chair
    if chair.user in gathering.ready:
        raise Refused("ready", "you are ready already")
    if gathering.opening:
        raise Refused("not-now", "the deal is under way; the next one will be yours")
    if chair.away:
        draft.emit(e.SatOut(chair.user, away=False))
    draft.emit(e.Readied(chair.user, command.nonce_commitment))


def open_nonce(draft: Draft, command: c.OpenNonce) -> None:
    """Open the nonce that one is committed to."""
    gathering, user = _gathering(draft), draft.chair.user
    commitment = gathering.nonce_commitments.get(user)
    if not gathering.opening:
        raise Refused("not-now", "nonces are opened when everybody is ready")
    if commitment is None or user in gathering.nonces:
        raise Refused("no-commitment", "there is no commitment of yours left to open")
    nonce = bytes.fromhex(command.nonce)
    chair = draft.table.place_of(user)
    assert chair is not None
    if not nonce or nonce_commitment(nonce, draft.table.id, gathering.deal, chair).hex() != commitment:
        raise Refused("wrong-nonce", "this is not the nonce to which you are committed")
    draft.emit(e.Opened(user, command.nonce))


def pick(draft: Draft, command: c.Pick) -> None:
    """Choose face down."""
    _gathering(draft)
    chooser = next_to_pick(draft.table)
    if chooser is None or not everybody_ready(draft.table):
        raise Refused("not-now", "nothing is being chosen now")
    if chooser != draft.asker.user:
        raise Refused("not-your-turn", f"{draft.table.names[chooser]} chooses now")
    free = free_picks(draft.table)
    if command.choice not in free:
        raise Refused("taken", f"choice {command.choice}: it is not there; there are {', '.join(map(str, free))}")
    draft.emit(e.Picked(chooser, command.choice))


def name_options(draft: Draft, command: c.NameOptions) -> None:
    """Name the options of the next round."""
    gathering, table = _gathering(draft), draft.table
    if gathering.choosing or gathering.opening:
        raise Refused("not-now", "the deal is under way; options are named before")
    if may_name(table) != draft.asker.user:
        raise Refused("not-your-turn", "who begins the next round names its options, where that is left to him")
    try:
        prospect(table).session.check_round_options(command.options)
    except LiarsPokerError as error:
        raise Refused(error.code, str(error)) from error
    draft.emit(e.Named(draft.asker.user, command.options))


def may_name(table: Table) -> str | None:
    """Who may name the options of the next round: who begins it, or the owner where lots are yet to be drawn."""
    if table.gathering is None or not table.settings.options.get("dealers_choice") or len(table.users_of_next) < 2:
        return None
    before = prospect(table)
    opener = before.opener
    if opener is None and not before.session.chance_spec().opener:
        opener = before.session.carry_over().opener
    return table.owner if opener is None else before.users[opener]


def ask_numbers(draft: Draft, command: c.AskNumbers) -> None:
    """See the numbers of the hand just counted."""
    table = draft.table
    user = draft.chair.user
    if table.sitting is None or table.sitting.seat_of(user) is None:
        raise Refused("not-seated", "only who has played the hand can ask for its numbers")
    if table.sitting.session.rounds_played - 1 in table.sitting.shown:
        raise Refused("shown", "somebody has asked already; the numbers are on the table")
    try:
        table.sitting.session.show_numbers()
    except LiarsPokerError as error:
        raise Refused(error.code, str(error)) from error
    draft.emit(e.NumbersShown(user))


def waited_for(table: Table) -> tuple[str, ...]:
    """People who play the next round and have not asked for it; who is away is not waited for."""
    gathering, users = table.gathering, table.users_of_next
    if gathering is None or len(users) < 2:
        return ()
    return tuple(
        chair.user
        for chair in table.people
        if chair.user in users and not chair.away and chair.user not in gathering.ready
    )


def may_ask(table: Table, user: str) -> bool:
    """Whether the next round waits for `user`: he plays in it; or only bots do, and one of the others has to ask."""
    gathering, users = table.gathering, table.users_of_next
    if gathering is None or user in gathering.ready:
        return False
    return user in users or (len(users) > 1 and all(chair.user not in users for chair in table.people))


def everybody_ready(table: Table) -> bool:
    """Whether nobody is waited for: there are enough to play, and somebody, perhaps out of the match, has asked."""
    gathering = table.gathering
    if gathering is None or len(table.users_of_next) < 2 or waited_for(table):
        return False
    return any(chair.user in gathering.ready for chair in table.people)


def chosen_face_down(table: Table) -> FaceDownChoice | None:
    """What is chosen before the next deal; `None` for nothing."""
    if not table.settings.choose:
        return None
    before = prospect(table)
    return before.session.face_down_choice(before.opener)


def pickers(table: Table) -> tuple[str, ...]:
    """Who chooses before the next deal, in the order of the rules."""
    choice = chosen_face_down(table)
    if choice is None:
        return ()
    before = prospect(table)
    first = choice.first
    if first is None:
        first = min(range(len(before.users)), key=lambda seat: table.units.get(before.users[seat], 0))
    clockwise = (*before.users[first:], *before.users[:first])
    return clockwise if choice.everybody else clockwise[:1]


def next_to_pick(table: Table) -> str | None:
    """Who chooses now; `None` where nobody does."""
    assert table.gathering is not None
    return next((user for user in pickers(table) if user not in table.gathering.picks), None)


def free_picks(table: Table) -> tuple[int, ...]:
    """What is still there to be chosen."""
    choice, gathering = chosen_face_down(table), table.gathering
    if choice is None or gathering is None:
        return ()
    taken = set(gathering.picks.values())
    return tuple(number for number in range(choice.count) if number not in taken)


def deal(draft: Draft) -> None:
    """Deal the next round: everybody's share is in."""
    table, gathering, now = draft.table, draft.table.gathering, draft.asker.now
    assert gathering is not None
    before = prospect(table)
    named = dict(gathering.named) if gathering.named_by == may_name(table) else {}
    for proposal in table.proposals:
        if proposal.kind == "stake":  # the next hand, for which it was meant, is here
            draft.emit(e.Settled(proposal.number, agreed=False))
    nonces = tuple(gathering.nonces.get(user, "") for user in before.users)
    picks = tuple(gathering.picks.get(user) for user in before.users)
    key = key_of(table, gathering.deal, gathering.seed, Shares(tuple(map(bytes.fromhex, nonces)), picks))
    root, lot = root_and_opener(table, before, key, named)
    opener = lot if before.opener is None else before.opener
    stake = before.stake if table.stake is None else table.stake
    draft.emit(
        e.Dealt(
            gathering.deal, before.users, before.fresh, before.losses, opener, stake, named, nonces, picks, root, now
        )
    )


def opening_due(table: Table) -> bool:
    """Whether nonces that are committed to are still to be opened."""
    gathering = table.gathering
    assert gathering is not None
    users = prospect(table).users
    return any(user in gathering.nonce_commitments and user not in gathering.nonces for user in users)


def begin_opening(draft: Draft) -> None:
    """Ask for the nonces."""
    draft.emit(e.Opening(draft.table.users_of_next, draft.asker.now + NONCE_SECONDS))


def end_if_all_played(draft: Draft) -> bool:
    """Close the table once it has played as many rounds as were agreed on, and no match is left half played."""
    table, most = draft.table, draft.table.settings.rounds
    if most is None or table.rounds_played < most or table.match is not None:
        return False
    draft.emit(e.Ended("the rounds that were agreed on have been played"))
    return True


def step(draft: Draft) -> bool:
    """One thing that follows by itself before a deal; `False` if nothing does."""
    table, gathering = draft.table, draft.table.gathering
    assert gathering is not None
    if end_if_all_played(draft):
        return True
    if not gathering.opening:
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
    assert table.gathering is not None
    chair = table.chair_of(chooser)
    if chair is None or chair.bot or chair.away:
        draft.emit(e.Picked(chooser, free_picks(table)[0]))
        return True
    if not table.gathering.choosing:
        draft.emit(e.Choosing(pick_deadline(table, draft.asker.now)))
        return True
    return False


def expire(draft: Draft) -> None:
    """Time is up: for nonces, for a choice, or for those who are not ready."""
    table, gathering = draft.table, draft.table.gathering
    assert gathering is not None
    if gathering.opening:
        deal(draft)
        return
    chooser = next_to_pick(table) if everybody_ready(table) else None
    if chooser is not None:
        draft.emit(e.Picked(chooser, free_picks(table)[0]))
        return
    draft.emit(e.ClockStarted(None))
    for user in waited_for(table):
        draft.emit(e.SatOut(user, away=True))
