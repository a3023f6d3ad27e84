"""What happens at a live table: who comes and goes, what is proposed, what people say, and the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from liarspoker.protocol.frames import ChatLine
from liarspoker.protocol.views import ProposalView, RoundView
from liarspoker.records.words import object_of, printable, subject
from liarspoker.terminal.renderer import Position, renderer_of
from liarspoker.terminal.screen import Screen, show_units
from liarspoker.terminal.server import Place
from liarspoker.terminal.state import State

EARLIER = 5
"""How many lines of chat are shown to somebody who comes in."""


class News:
    """Shows what is new at the table, rounds apart."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._before: State | None = None
        self._heard: set[tuple[float, str, str]] | None = None
        self._present: set[str] | None = None
        self._waited_for: tuple[str, ...] = ()

    def show(self, state: State) -> None:
        """Say all that is new."""
        before, self._before = self._before, state
        if before is None:
            return
        self._show_chairs(before, state)
        self._show_owner(before, state)
        self._show_proposals(before, state)
        if before.waiting and state.gathering:
            self._screen.say("The game begins.")
        if before.public.paused != state.public.paused:
            self._screen.say("The clocks stand still." if state.public.paused else "The clocks run again.")
        if before.public.chat != state.public.chat:
            self._screen.say(f"The chat is {'on' if state.public.chat else 'off'}.")

    def show_waiting(self, state: State) -> None:
        """Who is still expected: the owner to start the game, or others before the next deal, once you are ready."""
        owner = state.public.owner
        if state.waiting:
            if not state.you.owner and owner in state.chairs and self._waited_for != (owner,):
                self._screen.say(f"Waiting for {object_of(state.name_of(owner))} to start.")
                self._waited_for = (owner,)
            return
        expected = tuple(
            state.name_of(user)
            for user in (state.public.gathering.users if state.public.gathering else ())
            if user in state.chairs and not state.chairs[user].ready and not state.chairs[user].away
        )
        if expected and expected != self._waited_for and not state.wanted:
            self._screen.say(f"Waiting for {', '.join(map(object_of, expected))}.")
        self._waited_for = expected

    def show_chat(self, lines: Sequence[ChatLine], state: State | None) -> None:
        """What people have said since the last time; your own words are known."""
        first, heard = self._heard is None, self._heard or set()
        fresh = [line for line in lines if (line.at, line.user, line.text) not in heard]
        self._heard = {(line.at, line.user, line.text) for line in lines}
        for line in fresh[-EARLIER:] if first else fresh:
            own = state is not None and line.user == state.user
            if first or not own:
                who = "You" if own else printable(line.name)
                self._screen.say(f"{who} {'said' if first else 'says'}: {printable(line.text)}")

    def show_presence(self, users: Sequence[str], state: State | None) -> None:
        """Who of the others has lost the connection, and who is back."""
        before, self._present = self._present, set(users)
        if before is None or state is None or state.ended:
            return
        for user in state.chairs:
            if user != state.user and (user in before) != (user in self._present):
                gone = user in before
                self._screen.say(f"{state.name_of(user)} {'has gone away' if gone else 'is back'}.")

    def _show_chairs(self, before: State, state: State) -> None:
        old, new = before.chairs, state.chairs
        for user in [user for user in new if user not in old]:
            bot = f", a bot ({new[user].bot})" if new[user].bot else ""
            self._screen.say(f"{subject(state.name_of(user), 'sits')} down{bot}.")
        for user in [user for user in old if user not in new]:
            if not old[user].leaving:
                self._screen.say(f"{subject(state.name_of(user), 'leaves')} the table.")
        for user in [user for user in new if user in old]:
            if new[user].leaving and not old[user].leaving:
                self._screen.say(f"{subject(state.name_of(user), 'leaves')}; the round is played to its end.")
            elif new[user].away != old[user].away:
                verb = "sits out" if new[user].away else "plays again"
                first, _, rest = verb.partition(" ")
                self._screen.say(f"{subject(state.name_of(user), first)} {rest}.")

    def _show_owner(self, before: State, state: State) -> None:
        owner = state.public.owner
        if before.public.owner != owner:
            self._screen.say(
                f"The table is {'yours' if owner == state.user else state.name_of(owner) + chr(39) + 's'} now."
            )

    def _show_proposals(self, before: State, state: State) -> None:
        old = {one.proposal: one for one in before.public.proposals}
        new = {one.proposal: one for one in state.public.proposals}
        for number in [number for number in new if number not in old]:
            proposal = new[number]
            self._screen.say(f"{subject(state.name_of(proposal.by), 'proposes')} {_proposed(proposal, state)}.")
        for number in [number for number in old if number not in new]:
            what = _proposed(old[number], before)
            verdict = "Agreed" if _agreed(old[number], before, state) else "Not agreed"
            self._screen.say(f"{verdict}: {what}.")
        if before.public.stake != state.public.stake and state.public.stake is not None and not old:
            self._screen.say(f"Agreed: the next hand is played at stake {state.public.stake}.")


def _proposed(proposal: ProposalView, state: State) -> str:
    if proposal.kind == "stake":
        return f"to play the next hand at stake {proposal.value}"
    if proposal.kind == "undo":
        return "to take the last action back"
    return f"to remove {object_of(state.name_of(proposal.value))}"


def _agreed(proposal: ProposalView, before: State, state: State) -> bool:
    """Whether a proposal that is gone has been agreed to; what it was about shows it."""
    if proposal.kind == "stake":
        return state.public.stake == proposal.value
    if proposal.kind == "undo":
        return _moves(state) < _moves(before)
    chair = state.chairs.get(str(proposal.value))
    return chair is None or chair.leaving


def _moves(state: State) -> int:
    return 0 if state.public.round is None else len(state.public.round.moves)


class Rounds:
    """Shows what is new in the round on the table."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._deal: int | None = None
        self._moves: tuple[tuple[int, str], ...] = ()
        self._ended: RoundView | None = None
        self._turn: int | None = None
        self._offered = False
        self._acted: set[int] = set()

    def acted(self, turn: int) -> None:
        """The person has typed and sent an action in this turn, so they know it."""
        self._acted.add(turn)

    def repeat_turn(self) -> None:
        """Show once more that it is the person's turn, for instance because the connection broke in it."""
        self._turn = None

    def show(self, state: State) -> None:
        """Show all that is new."""
        deal = state.public.deal
        if state.public.round is None or deal is None:
            return
        if self._deal != deal.deal:
            self._deal = deal.deal
            self._show_deal(state)
        self._show_moves(state)
        self._show_result(state)
        if not self._offered and state.out_of_turn is not None:
            self._offered = True
            self._screen.say("You may challenge when it is another's turn, too: type c.")
        if state.my_turn and self._turn != state.turn and not state.public.paused:
            self._turn = state.turn
            renderer = renderer_of(state.game)
            renderer.turn(self._screen, state.position)
            renderer.legal(self._screen, state.position)
            if state.seconds is not None:
                self._screen.say(f"You have {state.seconds} second{'' if state.seconds == 1 else 's'}.")

    def _show_deal(self, state: State) -> None:
        """Show a round that is new, with what has been done in it already; of one that is over not its last action."""
        dealt = state.dealt
        self._ended, self._turn = None, None
        self._moves = dealt.moves[:-1] if dealt.to_act is None else dealt.moves
        self._screen.say()
        renderer_of(state.game).deal(self._screen, state.after(len(self._moves)))

    def _show_moves(self, state: State) -> None:
        moves, known = state.dealt.moves, self._moves
        if moves[: len(known)] != known:
            common = next((n for n, (a, b) in enumerate(zip(moves, known, strict=False)) if a != b), len(moves))
            self._screen.say("The last action is taken back.")
            known = known[:common]
        if len(moves) > len(known):
            before = state.after(len(known))
            for count in range(len(known), len(moves)):
                after = state.after(count + 1)
                self._show_move(before, after, state, count)
                before = after
        self._moves = moves

    def _show_move(self, before: Position[Any, Any], after: Position[Any, Any], state: State, count: int) -> None:
        seat, action = state.dealt.moves[count]
        if seat == state.you.seat and state.turn - (len(state.dealt.moves) - count) not in self._acted:
            self._screen.say(f"Played for you: {action}.")
        renderer_of(state.game).action(self._screen, before, after)

    def _show_result(self, state: State) -> None:
        before, dealt = self._ended, state.dealt
        if dealt.to_act is not None:
            return
        self._ended = dealt
        renderer = renderer_of(state.game)
        if before is None:
            renderer.result(self._screen, state.position)
            winner = state.position.session.winner
            if winner is not None:
                self._screen.say(f"{subject(state.names[winner], 'wins')} the match.")
        elif before != dealt and "numbers" in renderer.questions():  # nothing else changes after the end
            renderer.questions()["numbers"](self._screen, state.position, "")


def show_table(screen: Screen, state: State, place: Place) -> None:
    """Show what is played, who is here, and what friends need."""
    settings = state.public.settings
    title = f"{printable(settings.title)}: " if settings.title else ""
    others = [state.name_of(user) for user in state.chairs if user != state.user]
    here = f" Here are: {', '.join(others)}." if others else ""
    screen.say(f"{title}{state.game.row.title}, {settings.seats} chairs.{here}")
    screen.say(f"For friends who want to join: {place.link}")
    screen.say("Type help at any time.")


def show_score(screen: Screen, state: State) -> None:
    """Show what everybody who ever sat here has won or lost."""
    units = state.public.units
    if not units:
        screen.say("Nobody has won or lost anything yet.")
        return
    names = [state.name_of(one.user) for one in units]
    show_units(screen, names, [one.units for one in units], printable(state.public.settings.unit))


def show_end(screen: Screen, state: State) -> None:
    """Show that the table has ended, and who owes whom."""
    why = state.public.end_reason
    screen.say(f"The table has ended: {why}." if why else "The table has ended.")
    show_score(screen, state)
    for payment in state.public.settle_up or ():
        payer, payee = subject(state.name_of(payment.payer), "pays"), object_of(state.name_of(payment.payee))
        screen.say(f"{payer} {payee} {payment.units} unit{'' if payment.units == 1 else 's'}.")
