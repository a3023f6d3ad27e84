"""The sources of a server's settings: a TOML file, environment variables and options of the command line.

The command line overrides the environment, the environment overrides the file, and the file overrides the defaults.
Errors are one line that names the place of the setting and the remedy.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from msgspec import ValidationError, structs

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.config import BadLimit, Limits, every_limit, no_limits
from liarspoker.server.settings import PREFIX, SECTION, ExplainedError, ServerSettings, SettingInfo, every_setting

IN_FILE = "_FILE"
"""Suffix of an environment variable that holds the path of a secret file, as container and service managers provide."""

_LIMITS = SECTION[:-1].upper()


class BadSetting(LiarsPokerError):
    """An unknown setting, or an invalid value."""

    code = "bad-setting"


class Given(NamedTuple):
    """A value and where it was set, as error messages refer to it."""

    value: Any
    place: str


Layer: TypeAlias = Mapping[str, Given]
"""The values from one source, by setting name."""


def read_file(path: Path) -> Layer:
    """Read the settings from a TOML file.

    Raises:
        BadSetting: the file can't be read, or a setting is invalid; the message gives the line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors on Windows may write a byte order mark
        document = tomllib.loads(text)
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror or error}; pass a TOML file with --config") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{path}: invalid TOML: the file isn't UTF-8 text") from error
    except ValueError as error:
        raise BadSetting(f"{path}: invalid TOML: {error}") from error
    layer: dict[str, Given] = {}
    for key, value in document.items():
        section = key if isinstance(value, dict) else ""
        if _is_misplaced(key, value):
            raise BadSetting(f"{path}{_line(text, '', key)}: {_section_remedy(key)}")
        for name, one in value.items() if section else [(key, value)]:
            whole, place = f"{section}.{name}".lstrip("."), f"{path}{_line(text, section, name)}"
            info = _find(whole, place)
            layer[whole] = Given(_read(info, place, one, info.read), place)
    return layer


def _is_misplaced(key: str, value: Any) -> bool:
    """Return whether a key of a file is limits outside of their section, or another section or array of sections."""
    if key == SECTION[:-1]:
        return not isinstance(value, dict)
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict) for one in value))


def _section_remedy(key: str) -> str:
    """Return what is wrong with a section, or with limits that aren't in theirs."""
    header = f"[{SECTION[:-1]}]"
    if key == SECTION[:-1]:
        return f"limits are set in a section {header}, one line NAME = VALUE each"
    known = every_setting()
    if key in known:
        return f"{key!r} is a setting, not a section; write {key} = {known[key].form}"
    alike = get_close_matches(key, [SECTION[:-1]], 1)
    remedy = f"did you mean {header}?" if alike else f"the only section is {header}"
    return f"unknown section {f'[{key[:50]}]'!r}; {remedy}"


def _line(text: str, section: str, name: str) -> str:
    """Return ", line N" for the line that sets a name, or for the header of the section with this name.

    Empty if it isn't found, for instance in an inline table.
    """
    within = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[{1,2}\s*[\"']?([\w-]+)[\"']?\s*[\].]", line):
            within = header[1]
            if not section and within == name:
                return f", line {number}"
        elif within == section and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line):
            return f", line {number}"
    return ""


def read_environment(environment: Mapping[str, str]) -> Layer:
    """Read the settings from environment variables. Unknown names are ignored unless they look like a typing error.

    Raises:
        BadSetting: a value is invalid, a secret is set twice, its file can't be read, or a name looks misspelled.
    """
    infos = {info.variable.removeprefix(PREFIX): info for info in every_setting().values()}
    secrets = {name + IN_FILE: info for name, info in infos.items() if info.secret}
    layer: dict[str, Given] = {}
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX)
        if not variable.startswith(PREFIX):
            continue
        if (info := infos.get(name) or secrets.get(name)) is not None:
            if info.name in layer:
                raise BadSetting(f"{variable}: {layer[info.name].place} sets it too; remove one of them")
            value = text if name in infos else _secret_in(text, variable)
            layer[info.name] = Given(_read(info, variable, value, info.read_text), variable)
        elif alike := get_close_matches(name, [*infos, *secrets, _LIMITS], 1, 0.75):
            meant = f"{_LIMITS}_NAME, with the name of a limit" if alike == [_LIMITS] else alike[0]
            raise BadSetting(f"{variable}: unknown variable; did you mean {PREFIX}{meant}?")
    return layer


def read_variables(environment: Mapping[str, str], *names: str) -> Layer:
    """Read only the settings with these names from environment variables.

    Raises:
        BadSetting: a value is invalid, a secret is set twice, or its file can't be read.

    >>> read_variables({"LIARSPOKER_DATA": "club", "LIARSPOKER_PORT": "many"}, "data")
    {'data': Given(value='club', place='LIARSPOKER_DATA')}
    """
    known = every_setting()
    variables = [known[name].variable + ending for name in names for ending in ("", IN_FILE)]
    return read_environment({name: environment[name] for name in variables if name in environment})


def _secret_in(path: str, variable: str) -> str:
    """Read a secret from a file. Errors don't repeat the path: by mistake, it could be the secret itself."""
    try:
        secret, reason = Path(path).read_text(encoding="utf-8-sig").strip(), "the file is empty"
    except (OSError, ValueError) as error:
        secret, reason = "", (error.strerror if isinstance(error, OSError) else None) or "not a text file"
    if not secret:
        raise BadSetting(f"{variable}: {reason}; give the path of a file that contains only the secret")
    return secret


def read_options(given: Iterable[tuple[str, str, str]]) -> Layer:
    """Read the settings from the command line.

    Args:
        given: for each option its name, the name of the setting, and the value as a string.

    Raises:
        BadSetting: a setting is invalid, or set twice.
    """
    layer: dict[str, Given] = {}
    for option, name, text in given:
        info = _find(name, option)
        if name in layer:
            raise BadSetting(f"{option}: {name} is set twice; remove one of them")
        layer[name] = Given(_read(info, option, text, info.read_text), option)
    return layer


def _find(name: str, place: str) -> SettingInfo:
    infos = every_setting()
    if name in infos:
        return infos[name]
    if name.startswith(SECTION):
        known = ", ".join(one.name for one in every_limit())
        raise BadSetting(f"{place}: unknown limit {name.removeprefix(SECTION)!r}; choose from {known}")
    alike = get_close_matches(name, [*infos, SECTION[:-1]], 1)
    remedy = f"did you mean {alike[0]!r}?" if alike else "liarspoker serve --show-config lists all settings"
    if alike == [SECTION[:-1]]:
        remedy = f"to set a limit, use {SECTION}NAME, or the section [{SECTION[:-1]}] of a file"
    raise BadSetting(f"{place}: unknown setting {name[:50]!r}; {remedy}")


def _read(info: SettingInfo, place: str, given: Any, read: Callable[[Any], Any]) -> Any:
    try:
        return read(given)
    except BadLimit as error:
        raise BadSetting(f"{place}: {error}") from error
    except ExplainedError as error:
        named = info.name if info.secret else f"{info.name} = {_short(given)}"
        raise BadSetting(f"{place}: {named}: {error}") from error
    except (ValidationError, ValueError) as error:
        named = info.name if info.secret else f"{info.name} = {_short(given)}"
        raise BadSetting(f"{place}: {named}: must be {info.form}") from error


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."


def combined(*layers: Layer) -> ServerSettings:
    """Combine layers of settings; a later layer overrides an earlier one.

    Raises:
        BadSetting: two settings contradict each other.
    """
    given = {name: one for layer in layers for name, one in layer.items()}
    if "host" in given and given["host"].value and "lan" in given and given["lan"].value:
        raise BadSetting(f"{given['lan'].place}: lan and host can't both be set; remove one of them")
    plain = {name: one.value for name, one in given.items() if not name.startswith(SECTION)}
    limits = {name.removeprefix(SECTION): one.value for name, one in given.items() if name.startswith(SECTION)}
    settings = ServerSettings(**plain)
    base = no_limits() if settings.no_limits else Limits()
    return structs.replace(settings, limits=Limits(**{**_values(base), **limits}))


def _values(limits: Limits) -> dict[str, Any]:
    return {one.name: getattr(limits, one.name) for one in every_limit()}
