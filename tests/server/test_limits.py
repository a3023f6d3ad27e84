"""The limits of a server as an operator sets them on the command line."""

from dataclasses import fields

import pytest

from liarspoker.cli import main
from liarspoker.server.config import BadLimit, Limit, Limits, every_limit, limiter, no_limits, with_limits, written


def test_a_rate_and_a_number_and_none_are_read() -> None:
    changed = with_limits(Limits(), ["logins=5/0.1", "connections=12", "guests=none"])
    assert (changed.logins, changed.connections, changed.guests) == (Limit(5, 0.1), 12, None)
    assert type(changed.connections) is int
    assert changed.requests == Limits().requests


def test_what_is_written_is_read_again() -> None:
    texts = [f"{one.name}={written(one.default)}" for one in every_limit()]
    assert with_limits(no_limits(), texts) == Limits()


def test_no_limits_leaves_those_that_are_set() -> None:
    limits = with_limits(no_limits(), ["logins=5/0.1"])
    assert [one.name for one in fields(limits) if getattr(limits, one.name) is not None] == ["logins"]


def test_a_limit_that_is_off_limits_nobody() -> None:
    assert limiter(None, lambda: 0.0) is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            f"logins={value}"
            for value in ("", "5", "0", "5/0", "0/1", "0.5/1", "1/2/3", "-1/2", "nan/1", "inf/1", "1_0/1")
        ),
        *(f"logins={value}" for value in (" 1/1", "1e3/1", "None")),
        *(f"connections={value}" for value in ("", "0", "1.5", "many", "5/1", "-3")),
        *("logins", "Logins=none", "=", "", "nothing=5", "__init__=none"),
    ],
)
def test_a_value_that_a_limit_cannot_have_is_refused(text: str) -> None:
    with pytest.raises(BadLimit):
        with_limits(Limits(), [text])


def test_a_limit_that_is_set_twice_is_refused() -> None:
    with pytest.raises(BadLimit, match="twice"):
        with_limits(Limits(), ["logins=5/1", "logins=none"])


def test_every_limit_says_what_it_means() -> None:
    for one in every_limit():
        assert one.meaning, one.name
        assert one.unit, one.name


def test_an_unknown_limit_is_a_usage_error_that_lists_all_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--limit", "login=5/1"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert all(one.name in told for one in every_limit())


def test_the_limits_are_listed_as_they_would_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--no-limits", "--limit", "logins=5/0.1", "--list-limits"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        [one.name, "5/0.1" if one.name == "logins" else "none"] for one in every_limit()
    ]
    assert max(map(len, lines)) <= 100
