"""What the server and its workers say to each other."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots.catalogue import load
from liarspoker.core import catalogue as games
from liarspoker.core.catalogue import GameRow
from liarspoker.server.bots.worker import HEAD, LONGEST_ANSWER, Answer, Garbled, Kind, Request, answered, framed
from tests.server.bots.sessions import opened, view_of
from tests.server.bots.strange_bots import STRANGE
from tests.server.bots.strange_bots import load as load_strange


@given(
    game=st.sampled_from(games.games()),
    moves=st.integers(0, 6),
    bot=st.sampled_from(["beginner", "", "é"]),
    seed=st.binary(),
)
def test_a_request_arrives_as_it_was_sent(game: GameRow, moves: int, bot: str, seed: bytes) -> None:
    request = Request(bot, game.family, view_of(opened(game.id, moves, seed=moves)), seed)
    assert Request.from_bytes(request.to_bytes()) == request


@given(action=st.integers())
def test_an_action_arrives_as_it_was_played(action: int) -> None:
    answer = Answer("played", str(action))
    assert Answer.from_bytes(answer.to_bytes()) == answer


@given(kind=st.sampled_from([kind for kind in get_args(Kind) if kind != "played"]), text=st.text())
def test_an_answer_of_any_text_arrives_and_is_never_too_long(kind: Kind, text: str) -> None:
    body = Answer(kind, text * 200).to_bytes()
    assert len(body) <= LONGEST_ANSWER
    assert Answer.from_bytes(body).kind == kind


@given(body=st.binary() | st.sampled_from([b"played", b"played ", b"played 1x", b"played --1", b"shown 1"]))
def test_other_bytes_are_no_answer(body: bytes) -> None:
    with pytest.raises(Garbled, match=f"{len(body)} bytes are no answer"):
        Answer.from_bytes(body)


@given(body=st.binary(max_size=1000))
def test_a_frame_tells_its_length(body: bytes) -> None:
    frame = framed(body)
    assert HEAD.unpack(frame[: HEAD.size]) == (len(body),)
    assert frame[HEAD.size :] == body


@given(game=st.sampled_from(games.games()), moves=st.integers(0, 6), seed=st.binary())
def test_a_worker_answers_with_what_the_bot_plays(game: GameRow, moves: int, seed: bytes) -> None:
    view = view_of(opened(game.id, moves, seed=moves))
    played = load("beginner", game.family)(view, Random(seed))
    assert answered(Request("beginner", game.family, view, seed).to_bytes(), load) == Answer("played", str(played))


@pytest.mark.parametrize("bot", ["nobody", "", "os:system", "liarspoker.bots.uniform:uniform"])
def test_a_worker_loads_nothing_that_is_no_bots_name(bot: str) -> None:
    answer = answered(Request(bot, "digits", None, b"").to_bytes(), load)
    assert answer.kind == "unknown"
    assert f"there is no bot {bot!r}" in answer.text


def test_what_a_bot_has_seen_does_not_stand_in_what_is_said_of_its_crash() -> None:
    line = STRANGE["raises"].__code__.co_firstlineno + 1
    told = answered(Request("raises", "digits", "SECRET", b"").to_bytes(), load_strange)
    assert told == Answer("crashed", f"ValueError at strange_bots.py:{line}")


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("says_words", "an action is an int, and no str"),
        ("says_nothing", "an action is an int, and no NoneType"),
        ("says_yes", "an action is an int, and no bool"),
        ("says_much", "an action of 100001 bits"),
    ],
)
def test_an_answer_that_can_be_no_action_is_nonsense(bot: str, why: str) -> None:
    assert answered(Request(bot, "digits", None, b"").to_bytes(), load_strange) == Answer("nonsense", why)
