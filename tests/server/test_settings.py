"""Settings from a file, the environment and the command line; errors are one line that names the source."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from liarspoker.cli import main
from liarspoker.server.config import Limit, Limits, every_limit, no_limits
from liarspoker.server.setting_sources import BadSetting, Layer, combined, read_environment, read_file, read_options
from liarspoker.server.settings import ServerSettings, as_toml, every_setting
from liarspoker.server.storage.sealing import new_key

INFOS = every_setting()
POSITIVE = st.floats(min_value=1e-6, max_value=1e12, exclude_min=True)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
NETWORKS = st.lists(st.ip_addresses().map(lambda one: f"{one}/{one.max_prefixlen}"), max_size=3).map(tuple)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "host": TEXTS | st.just(""),
    "port": st.integers(0, 65535),
    "data": TEXTS | st.just(""),
    "node": TEXTS,
    "trusted_proxies": NETWORKS,
    "bot_pause": st.floats(0, 60),
    "bot_processes": st.integers(1, 256),
    "processes": st.integers(1, 256),
    "internal": st.sampled_from(["127.0.0.1:0", "10.0.0.3:7000", "[fd00::3]:7000", "node-3:7000"]),
    "drain": st.floats(0, 600),
    "backup_to": TEXTS | st.just(""),
    "backup_every": st.builds("{}{}".format, st.integers(1, 999_999), st.sampled_from("smhd")),
    "backup_keep": st.integers(1, 10_000),
    "traces": st.sampled_from(["", "http://127.0.0.1:4318", "https://collector.example/otlp"]),
    "metrics": st.sampled_from(["off", "local", "127.0.0.1:9100", "[::1]:0"]),
}


def limit_values(default: object) -> st.SearchStrategy[Any]:
    if isinstance(default, Limit):
        return st.none() | st.builds(Limit, st.floats(1, 1e9), POSITIVE)
    return st.none() | (POSITIVE if isinstance(default, float) else st.integers(1, 10**9))


@st.composite
def all_settings(draw: st.DrawFn) -> ServerSettings:
    """Any settings except secrets."""
    plain: dict[str, Any] = {}
    for name, default in structs.asdict(ServerSettings()).items():
        if name not in ("limits", "database", "key", "bus"):
            plain[name] = draw(VALUES.get(name, st.booleans() if default is False else st.just(default)))
    plain["lan"] = plain["lan"] and not plain["host"]
    limits = {one.name: draw(limit_values(one.default or 1.0)) for one in every_limit()}
    return ServerSettings(**plain, limits=Limits(**limits))


@given(all_settings())
def test_settings_round_trip(tmp_path_factory: pytest.TempPathFactory, settings: ServerSettings) -> None:
    path = tmp_path_factory.getbasetemp() / "settings.toml"
    path.write_text(as_toml(settings), encoding="utf-8", newline="")
    assert combined(read_file(path)) == settings


def words(**given: str) -> Layer:
    return read_options((f"--set {name}", name.replace("__", "."), text) for name, text in given.items())


def file(folder: Path, text: str) -> Path:
    path = folder / "server.toml"
    path.write_text(text, encoding="utf-8")
    return path


@given(st.sets(st.sampled_from(["file", "environment", "words"])), st.sampled_from(["port", "limits.connections"]))
def test_the_command_line_overrides_the_environment_which_overrides_the_file(
    tmp_path_factory: pytest.TempPathFactory, places: set[str], name: str
) -> None:
    section = "[limits]\n" if name.startswith("limits.") else ""
    path = file(tmp_path_factory.getbasetemp(), f"{section}{name.rpartition('.')[2]} = 1\n")
    layers: dict[str, Layer] = {
        "file": read_file(path),
        "environment": read_environment({INFOS[name].variable: "2", "HOME": "/"}),
        "words": read_options([("--set", name, "3")]),
    }
    settings = combined(*(layers[one] for one in layers if one in places))
    values = {**structs.asdict(settings), "limits.connections": settings.limits.connections}
    expected = max([list(layers).index(one) + 1 for one in places], default=INFOS[name].default)
    assert values[name] == expected


def test_no_limits_keeps_limits_from_any_source(tmp_path: Path) -> None:
    set_here = read_file(file(tmp_path, "[limits]\nlogins = '5/0.1'"))
    settings = combined(set_here, read_environment({"LIARSPOKER_LIMITS_WATCHERS": "7"}), words(no_limits="true"))
    assert [one.name for one in fields(Limits) if getattr(settings.limits, one.name) is not None] == [
        "logins",
        "watchers",
    ]
    assert combined(words(no_limits="true")).limits == no_limits()


WRONG = [
    ("prot = 1", "line 1: unknown setting 'prot'; did you mean 'port'?"),
    ("\ufeffprot = 1", "line 1: unknown setting 'prot'; did you mean 'port'?"),
    ("\n\nport = 70000", "line 3: port = 70000: must be an integer from 0 to 65535"),
    ("port = true", "line 1: port = True: must be an integer from 0 to 65535"),
    ("bot_pause = nan", "line 1: bot_pause = nan: must be a number from 0 to 60"),
    ("tls = 3", "line 1: tls = 3: must be true or false"),
    ("node = ''", "line 1: node = '': must be a name"),
    ("trusted_proxies = ['here']", "line 1: trusted_proxies = ['here']: must be addresses or networks"),
    ("trusted_proxies = [3]", "line 1: trusted_proxies = [3]: must be addresses or networks"),
    ("database = 'mysql://ann:hunter2@host/db'", "line 1: database: the database URL must begin"),
    ("[limits]\nlogin = '5/1'", "line 2: unknown limit 'login'; choose from requests"),
    ("port = 1\n[limits]\nlogins = 5", "line 3: logins=5: must be BURST/RATE"),
    ("[limits]\nconnections = true", "line 2: connections=True: must be a number above 0"),
    ("[limits]\nconnections = 1.5", "line 2: connections=1.5: must be a number above 0"),
    (
        "database = 'postgresql://ann:hunter2@pw@host/db'",
        "line 1: database: the database URL must be postgresql://USER",
    ),
    ("key = 'hunter2'", "line 1: key: must be 32 bytes as URL-safe base64"),
    ("internal = '0.0.0.0:7000'", "other nodes must be able to connect to this address, so it can't be 0.0.0.0"),
    ("internal = '[::]:7000'", "other nodes must be able to connect to this address, so it can't be ::"),
    ("internal = '7000'", "line 1: internal = '7000': must be HOST:PORT, as in 10.0.0.3:7000"),
    ("[limit]", "line 1: unknown section '[limit]'; did you mean [limits]?"),
    ("tls = true\n[ Limits ]\nlogins = 5", "line 2: unknown section '[Limits]'; did you mean [limits]?"),
    ("[[servers]]", "line 1: unknown section '[servers]'; the only section is [limits]"),
    ("[port]", "line 1: 'port' is a setting, not a section; write port = an integer from 0 to 65535"),
    ("limits = 3", "line 1: limits are set in a section [limits], one line NAME = VALUE each"),
    ("\n[[limits]]\nlogins = 5", "line 2: limits are set in a section [limits], one line NAME = VALUE each"),
    ("[[limits.of]]", "unknown limit 'of'; choose from requests"),
    ("limit = 3", "line 1: unknown setting 'limit'; to set a limit, use limits.NAME, or the section [limits]"),
    ("port 9", "invalid TOML"),
    ("port = 1\nport = 2", "invalid TOML"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_errors_in_a_settings_file_are_reported_in_one_line(
    tmp_path: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(tmp_path, text)
    assert main(["serve", "--config", str(path), "--show-config"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"liarspoker: {path}")
    assert told in err
    assert len(err.splitlines()) == 1
    assert "hunter2" not in err


def test_a_settings_file_in_another_encoding_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("port = 9000", encoding="utf-16")
    assert refusal(lambda: read_file(path)) == f"{path}: invalid TOML: the file isn't UTF-8 text"


def test_contradictory_settings_are_reported_with_their_source(tmp_path: Path) -> None:
    layers = read_file(file(tmp_path, "lan = true")), words(host="::1")
    assert refusal(lambda: combined(*layers)).endswith(", line 1: lan and host can't both be set; remove one of them")


@pytest.mark.parametrize("name", ["host", "data", "database", "key", "bus"])
def test_an_empty_place_is_refused_outside_a_file(tmp_path: Path, name: str) -> None:
    variable = f"LIARSPOKER_{name.upper()}"
    assert "the value is empty; to use the default, leave the setting out" in refusal(lambda: words(**{name: ""}))
    assert refusal(lambda: read_environment({variable: " "})).startswith(f"{variable}: {name}")
    assert combined(read_file(file(tmp_path, f"{name} = ''"))) == ServerSettings()


def test_an_empty_value_that_means_none_overrides_a_file(tmp_path: Path) -> None:
    before = read_file(file(tmp_path, "backup_to = 'copies'\ntrusted_proxies = ['10.0.0.0/8']"))
    assert combined(before, words(backup_to="", trusted_proxies="")) == ServerSettings()


def refusal(read: Callable[[], object]) -> str:
    """Return why a setting is rejected; empty if it isn't."""
    try:
        read()
    except BadSetting as error:
        return str(error)
    return ""


@given(st.sampled_from(sorted(INFOS)), TEXTS)
def test_any_value_is_accepted_or_rejected_with_its_source(name: str, text: str) -> None:
    variable, option = INFOS[name].variable, f"--set {name}"
    for place, refused in (
        (variable, refusal(lambda: read_environment({variable: text}))),
        (option, refusal(lambda: read_options([(option, name, text)]))),
    ):
        assert not refused or refused.startswith(f"{place}: ")


@given(st.text(max_size=100))
def test_any_settings_file_is_accepted_or_rejected_with_its_name(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused = refusal(lambda: read_file(path))
    assert not refused or refused.startswith(str(path))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--port 70000", "--port: port = '70000': must be an integer from 0 to 65535"),
        ("--port 1 --set port=2", "set twice"),
        ("--set port", "write NAME=VALUE"),
        ("--set prot=2", "did you mean 'port'?"),
        ("--bot-pause 61", "a number from 0 to 60"),
        ("--lan --host 127.0.0.1", "can't both be set"),
        ("--trusted-proxies here", "addresses or networks"),
        ("--set limits.logins=5", "must be BURST/RATE"),
        ("--set limits=5", "--set limits: unknown setting 'limits'; to set a limit, use limits.NAME"),
        ("--set key=abc --show-config", "--set key: key: must be 32 bytes as URL-safe base64"),
        ("--set internal=0.0.0.0:7000", "other nodes must be able to connect to this address"),
    ],
)
def test_command_line_errors_are_usage_errors(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", *line.split()])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("path", [".", "nowhere.toml"])
def test_an_unreadable_file_is_reported(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--config", path]) == 1
    assert capsys.readouterr().err.startswith(f"liarspoker: {path}: ")


def test_mistyped_variables_are_rejected_and_unrelated_ones_ignored(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIARSPOKER_DATABSE", "postgresql://ann:hunter2@host/db")
    assert main(["serve"]) == 1
    told = capsys.readouterr().err
    assert told == "liarspoker: LIARSPOKER_DATABSE: unknown variable; did you mean LIARSPOKER_DATABASE?\n"
    told = refusal(lambda: read_environment({"LIARSPOKER_LIMITS": "3"}))
    assert told.endswith("did you mean LIARSPOKER_LIMITS_NAME, with the name of a limit?")
    assert read_environment({"LIARSPOKER_SERVICE_HOST": "10.0.0.1", "LIARSPOKER_CACHE": "x"}) == {}


def test_secrets_can_be_read_from_files(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = new_key()
    path.write_text(f"{key}\n", encoding="utf-8-sig")
    assert combined(read_environment({"LIARSPOKER_KEY_FILE": str(path)})).key == key
    assert read_environment({"LIARSPOKER_PORT_FILE": str(path)}) == {}
    assert refusal(lambda: read_environment({"LIARSPOKER_KEY_FIL": str(path)})).endswith("LIARSPOKER_KEY_FILE?")
    both = {"LIARSPOKER_KEY": key, "LIARSPOKER_KEY_FILE": str(path)}
    assert refusal(lambda: read_environment(both)).startswith("LIARSPOKER_KEY_FILE: LIARSPOKER_KEY sets it too")
    path.write_text("\n", encoding="utf-8")
    for file, reason in (
        (path, "the file is empty"),
        (tmp_path, "Is a directory"),
        (tmp_path / "hunter5", "No such file"),
    ):
        told = refusal(partial(read_environment, {"LIARSPOKER_KEY_FILE": str(file)}))
        assert told.startswith(f"LIARSPOKER_KEY_FILE: {reason}")
        assert "hunter" not in told


def test_shown_settings_hide_secrets(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LIARSPOKER_DATABASE", "postgresql://ann:hunter2@host/db")
    key = new_key()
    monkeypatch.setenv("LIARSPOKER_KEY", key)
    monkeypatch.setenv("LIARSPOKER_BUS", "nats://ann:hunter4@host")
    assert main(["serve", "--port", "9000", "--limit", "logins=5/0.1", "--show-config"]) == 0
    shown = capsys.readouterr().out
    assert "hunter" not in shown
    assert key not in shown
    assert re.search(r"^# database = \(hidden\)$", shown, re.MULTILINE)
    assert "\nport = 9000\n" in shown
    assert '\nlogins = "5/0.1"\n' in shown


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    assert combined(read_file(file(tmp_path, "\ufeffport = 9000"))).port == 9000


def test_two_keys_are_accepted_during_key_rotation() -> None:
    keys = f"{new_key()} {new_key()}"
    assert combined(words(key=keys)).key == keys


def test_every_setting_has_a_description_and_a_format() -> None:
    assert [info.name for info in INFOS.values() if not info.meaning or not info.form] == []
    assert len({info.variable for info in INFOS.values()}) == len(INFOS)
