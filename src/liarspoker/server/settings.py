"""The settings of a server: what may be set, where, and what is wrong with a value.

Each setting is a field of `ServerSettings`, and its annotation says all that there is to say about it. From it follow
the key in a TOML file, the environment variable, `--set`, the reference page and the messages of errors. A setting on
the command line counts before one in the environment, that before one in the file, and that before the default.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias, get_origin, get_type_hints
from urllib.parse import urlsplit

import tomlkit
from msgspec import Meta, Struct, ValidationError, convert, field, structs

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.cluster.bus import is_address
from liarspoker.server.config import BadLimit, Limit, Limits, digits, every_limit, no_limits, with_limits, written
from liarspoker.server.listening import host_and_port
from liarspoker.server.storage.errors import BadPlace
from liarspoker.server.storage.place import address

PREFIX = "LIARSPOKER_"
"""How the name of every environment variable begins."""

IN_FILE = "_FILE"
"""How the name of a variable ends that names a file with a secret, as container and service managers hand them out."""

SECTION = "limits."
"""How the names of limits begin; in a file they are in a section of their own."""


class BadSetting(LiarsPokerError):
    """A setting that does not exist, or a value that it cannot have."""

    code = "bad-setting"


def setting(meaning: str, form: str = "", *, unit: str = "", secret: bool = False, **rules: Any) -> Meta:
    """What there is to know about a setting.

    Args:
        meaning: what it does, as one phrase.
        form: what its value looks like, for a text or several.
        unit: what a number counts.
        secret: its value is shown nowhere.
        rules: `check`, a function that raises `ValueError` for a value which fits the type and is still wrong; and what
            `msgspec.Meta` knows, such as `ge` and `pattern`.
    """
    more = {"form": form, "unit": unit, "secret": secret, "check": rules.pop("check", None)}
    return Meta(description=meaning, extra=more, **rules)


def networks(texts: Iterable[str]) -> tuple[str, ...]:
    """Addresses and networks, each as a network.

    Raises:
        ValueError: one is neither.
    """
    return tuple(str(ip_network(text)) for text in texts)


def metrics_place(text: str) -> str:
    """The setting `metrics`.

    Raises:
        ValueError: it is neither a word that is known nor an address.
    """
    host, _, port = text.rpartition(":")
    if text not in ("off", "local") and not (host and port.isascii() and port.isdecimal() and int(port) <= 65535):
        raise ValueError(text)
    return text


def collector_place(text: str) -> str:
    """The setting `traces`.

    Raises:
        ValueError: it is no address, or holds a password, which would stand in lists of settings.
    """
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
        raise ValueError(text)
    return text


def internal_place(text: str) -> str:
    """The setting `internal`.

    Raises:
        ValueError: it is no address, or none that another node could connect to.
    """
    host, _ = host_and_port(text)
    if host in ("0.0.0.0", "::"):
        raise ValueError(text)
    return text


def reachable(database: str) -> str:
    """The address of a database, as `Config` has it.

    Raises:
        ValueError: it is none.
    """
    try:
        return database and address(database=database)
    except BadPlace as error:
        raise ValueError from error


def bus_address(text: str) -> str:
    """The address of a bus.

    Raises:
        ValueError: it is none.
    """
    if text and not is_address(text):
        raise ValueError
    return text


_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(text: str) -> float:
    """The seconds of a time.

    Raises:
        ValueError: it is none.

    >>> seconds_of("24h"), seconds_of("1.5m")
    (86400.0, 90.0)
    """
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smhd])", text)
    if found is None or not float(found[1]):
        raise ValueError(text)
    return float(found[1]) * _UNITS[found[2]]


def time_written(text: str) -> str:
    """A time as it is written, which `seconds_of` can read.

    Raises:
        ValueError: it is none.
    """
    seconds_of(text)
    return text


class ServerSettings(Struct, frozen=True, kw_only=True):
    """How a server runs, as its operator says it.

    A new setting is a new field. Where `Config` has one of the same name, its value gets there by itself.
    """

    host: Annotated[str, setting("the address to listen on; empty for this machine alone", "an address")] = ""
    port: Annotated[int, setting("the port; 0 for any that is free", ge=0, le=65535)] = 8000
    lan: Annotated[bool, setting("listen for the local network too")] = False
    data: Annotated[str, setting("where the data is; empty for your data folder", "a folder")] = ""
    database: Annotated[
        str,
        setting(
            "the database; empty for a SQLite file in the data folder",
            "postgresql://... or sqlite:///PATH",
            secret=True,
            check=reachable,
        ),
    ] = ""
    key: Annotated[
        str,
        setting(
            "the key that seals seeds; empty for the one in the data folder",
            "32 bytes as URL-safe base64, or two such keys while it is changed",
            secret=True,
        ),
    ] = ""
    node: Annotated[str, setting("this server's name among several", "a name", min_length=1)] = "main"
    bus: Annotated[
        str,
        setting(
            "how several servers tell each other what is new; empty for notify with PostgreSQL, else local",
            "local, notify, or nats://HOST:PORT, several of them separated by commas",
            secret=True,
            check=bus_address,
        ),
    ] = ""
    processes: Annotated[
        int, setting("how many processes serve on PostgreSQL, each a node of its own", ge=1, le=256)
    ] = 1
    internal: Annotated[
        str,
        setting("where other nodes reach this one", "HOST:PORT, as in 10.0.0.3:7000", check=internal_place),
    ] = "127.0.0.1:0"
    tls: Annotated[bool, setting("people reach the server over HTTPS, through a proxy")] = False
    trusted_proxies: Annotated[
        tuple[str, ...],
        setting(
            "proxies in front, which say where requests come from",
            "addresses or networks, as in 127.0.0.1,10.0.0.0/8",
            check=networks,
        ),
    ] = ()
    bot_pause: Annotated[float, setting("the time a bot waits before it plays", unit="seconds", ge=0, le=60)] = 1.0
    bot_processes: Annotated[int, setting("how many processes play for the bots", ge=1, le=256)] = 1
    drain: Annotated[
        float, setting("how long `/ready` says that the server stops before it does", unit="seconds", ge=0, le=600)
    ] = 0.5
    backup_to: Annotated[str, setting("where backups are made by themselves; empty for none", "a folder")] = ""
    backup_every: Annotated[
        str, setting("the time between two backups", "a time, as in 24h, 30m or 7d", check=time_written)
    ] = "24h"
    backup_keep: Annotated[int, setting("how many backups are kept", ge=1, le=10_000)] = 7
    metrics: Annotated[
        str,
        setting(
            "who may ask for metrics: nobody, this machine at `/metrics`, or whoever reaches an address of its own",
            "off, local or HOST:PORT",
            check=metrics_place,
        ),
    ] = "local"
    traces: Annotated[
        str,
        setting(
            "where traces are sent, by OTLP over HTTP; empty for nowhere",
            "an address, as in http://127.0.0.1:4318",
            check=collector_place,
        ),
    ] = ""
    no_limits: Annotated[bool, setting("no limits but those that are set")] = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """What there is to know about one setting.

    Attributes:
        name: the field of `ServerSettings`, or `limits.` and the field of `Limits`.
        default: the value by default.
        unit: what the value counts; empty where it counts nothing.
        meaning: what it does.
        form: what a value looks like.
        secret: its value is shown nowhere.
        read: from a value in a file to the one of the setting; raises `ValueError`.
        many: it holds several texts, between commas where it is one text.
    """

    name: str
    default: Any
    unit: str
    meaning: str
    form: str
    secret: bool
    read: Callable[[Any], Any]
    many: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that sets it.

        >>> every_setting()["limits.logins"].variable
        'LIARSPOKER_LIMITS_LOGINS'
        """
        return PREFIX + self.name.upper().replace(".", "_")

    def read_text(self, text: str) -> Any:
        """The value that a text from the environment or the command line gives.

        Raises:
            ValueError: it can't be one.
        """
        return self.read([part.strip() for part in text.split(",") if part.strip()] if self.many else text)


def every_setting() -> dict[str, SettingInfo]:
    """Every setting by its name, in the order of the fields; limits last."""
    defaults, infos = ServerSettings(), list[SettingInfo]()
    for name, hint in get_type_hints(ServerSettings, include_extras=True).items():
        if name == SECTION[:-1]:
            continue
        [meta] = hint.__metadata__
        kind, more = hint.__origin__, meta.extra
        form = more["form"] or _form(kind, meta)
        read, many = _reader(hint, more["check"]), get_origin(kind) is tuple
        default = getattr(defaults, name)
        infos.append(SettingInfo(name, default, more["unit"], meta.description, form, more["secret"], read, many))
    for one in every_limit():
        form = "a number, a rate as in 5/0.1, or none"
        infos.append(SettingInfo(SECTION + one.name, one.default, one.unit, one.meaning, form, False, _limit(one.name)))
    return {info.name: info for info in infos}


def _form(kind: type, meta: Meta) -> str:
    if kind is bool:
        return "true or false"
    return f"{'a whole number' if kind is int else 'a number'} from {meta.ge} to {meta.le}"


def _reader(hint: Any, check: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    def read(given: Any) -> Any:
        value = convert(given, hint, strict=not isinstance(given, str))
        return value if check is None else check(value)

    return read


def _limit(name: str) -> Callable[[Any], Any]:
    def read(given: Any) -> Any:
        text = digits(given) if isinstance(given, float) else str(given)
        return getattr(with_limits(Limits(), [f"{name}={text}"]), name)

    return read


class Given(NamedTuple):
    """A value that was set, and where, as an error or a comment names the place."""

    value: Any
    place: str


Layer: TypeAlias = Mapping[str, Given]
"""What was set in one place, by the names of the settings."""


def read_file(path: Path) -> Layer:
    """What a TOML file sets.

    Raises:
        BadSetting: it can't be read, or something in it is wrong; named with the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror or error}; give a TOML file with --config") from error
    except ValueError as error:
        raise BadSetting(f"{path}: this is not TOML: {error}") from error
    layer: dict[str, Given] = {}
    for key, value in document.items():
        section = key if isinstance(value, dict) else ""
        if section and f"{section}." != SECTION:
            _find(section, str(path))
        for name, one in value.items() if section else [(key, value)]:
            whole, place = f"{section}.{name}".lstrip("."), f"{path}{_line(text, section, name)}"
            info = _find(whole, place)
            layer[whole] = Given(_read(info, place, one, info.read), place)
    return layer


def _line(text: str, section: str, name: str) -> str:
    """Where a file sets a name, as a message tells it; empty where that is written in an unusual way."""
    within = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
            within = header[1]
        elif within == section and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line):
            return f", line {number}"
    return ""


def read_environment(environment: Mapping[str, str]) -> Layer:
    """What environment variables set. A name that is no setting is passed over, unless it looks like one mistyped.

    Raises:
        BadSetting: a value is wrong, a secret is set twice or its file can't be read, or a name is mistyped.
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
                raise BadSetting(f"{variable}: {layer[info.name].place} sets it too; leave one out")
            value = text if name in infos else _secret_in(text, variable)
            layer[info.name] = Given(_read(info, variable, value, info.read_text), variable)
        elif alike := get_close_matches(name, [*infos, *secrets], 1, 0.75):
            raise BadSetting(f"{variable}: there is no such variable; did you mean {PREFIX}{alike[0]}?")
    return layer


def _secret_in(path: str, variable: str) -> str:
    """The secret that a file holds. The path is not repeated in an error: it may be the secret itself, by mistake."""
    try:
        secret, reason = Path(path).read_text(encoding="utf-8").strip(), "it is empty"
    except (OSError, ValueError) as error:
        secret, reason = "", (error.strerror if isinstance(error, OSError) else None) or "it is not a text file"
    if not secret:
        raise BadSetting(f"{variable}: {reason}; name a file that holds the secret and nothing else")
    return secret


def read_words(given: Iterable[tuple[str, str, str]]) -> Layer:
    """What the command line sets.

    Args:
        given: for each the option, the name of the setting, and the text of the value.

    Raises:
        BadSetting: something is wrong, or set twice.
    """
    layer: dict[str, Given] = {}
    for option, name, text in given:
        info = _find(name, option)
        if name in layer:
            raise BadSetting(f"{option}: {name} is there twice; leave one out")
        layer[name] = Given(_read(info, option, text, info.read_text), option)
    return layer


def _find(name: str, place: str) -> SettingInfo:
    infos = every_setting()
    if name in infos:
        return infos[name]
    if name.startswith(SECTION):
        known = ", ".join(one.name for one in every_limit())
        raise BadSetting(f"{place}: there is no limit {name.removeprefix(SECTION)!r}; choose from {known}")
    alike = get_close_matches(name, infos, 1)
    remedy = f"did you mean {alike[0]!r}?" if alike else "liarspoker serve --show-config lists them all"
    raise BadSetting(f"{place}: there is no setting {name[:50]!r}; {remedy}")


def _read(info: SettingInfo, place: str, given: Any, read: Callable[[Any], Any]) -> Any:
    try:
        return read(given)
    except BadLimit as error:
        raise BadSetting(f"{place}: {error}") from error
    except (ValidationError, ValueError) as error:
        named = info.name if info.secret else f"{info.name} = {_short(given)}"
        raise BadSetting(f"{place}: {named}: write {info.form}") from error


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 60 else f"{text[:57]}..."


def combined(*layers: Layer) -> ServerSettings:
    """The settings that layers come to; a later one counts before an earlier one.

    Raises:
        BadSetting: two of them contradict each other.
    """
    given = {name: one for layer in layers for name, one in layer.items()}
    if "host" in given and given["host"].value and "lan" in given and given["lan"].value:
        raise BadSetting(f"{given['lan'].place}: lan listens everywhere; host says where: choose one")
    plain = {name: one.value for name, one in given.items() if not name.startswith(SECTION)}
    limits = {name.removeprefix(SECTION): one.value for name, one in given.items() if name.startswith(SECTION)}
    settings = ServerSettings(**plain)
    base = no_limits() if settings.no_limits else Limits()
    return structs.replace(settings, limits=Limits(**{**_values(base), **limits}))


def _values(limits: Limits) -> dict[str, Any]:
    return {one.name: getattr(limits, one.name) for one in every_limit()}


def as_toml(settings: ServerSettings) -> str:
    """The settings as a TOML file sets them, each with its meaning; secrets are hidden, so they are not set there."""
    document, section = tomlkit.document(), tomlkit.table()
    document.add(tomlkit.comment("How `liarspoker serve` runs; give this file with --config."))
    for info in every_setting().values():
        short = info.name.removeprefix(SECTION)
        place: Any = section if info.name.startswith(SECTION) else document
        value = getattr(settings.limits if place is section else settings, short)
        place.add(tomlkit.nl())
        place.add(tomlkit.comment(meaning_of(info)))
        if info.secret:
            place.add(tomlkit.comment(f"{short} = {'(hidden)' if value else '(not set)'}"))
        else:
            place.add(short, written_value(value))
    document.add(tomlkit.nl())
    document.add(SECTION[:-1], section)
    return document.as_string()


def meaning_of(info: SettingInfo) -> str:
    """What a setting does, and its unit."""
    return info.meaning + (f" ({info.unit})" if info.unit else "")


def written_value(value: Any) -> Any:
    """A value as a file has it."""
    return written(value) if value is None or isinstance(value, Limit) else value


def settings_table() -> Iterator[tuple[SettingInfo, str]]:
    """Every setting that is no limit, with its default as a file has it."""
    for info in every_setting().values():
        if not info.name.startswith(SECTION):
            yield info, tomlkit.item(written_value(info.default)).as_string()
