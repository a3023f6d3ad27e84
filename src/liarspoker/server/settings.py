"""The settings of a server: their names, types, defaults, descriptions and validation.

Each setting is a field of `ServerSettings` whose annotation describes it. The TOML key, the environment variable,
`--set`, the reference page and the error messages are derived from it; `setting_sources` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Annotated, Any, get_origin, get_type_hints
from urllib.parse import urlsplit

import tomlkit
from msgspec import Meta, Struct, convert, field

from liarspoker.server.cluster.bus import is_address
from liarspoker.server.config import Limit, Limits, every_limit, format_limit, format_number, with_limits
from liarspoker.server.listening import host_and_port
from liarspoker.server.notices.smtp import mail_server
from liarspoker.server.storage.errors import BadDatabase, BadKey
from liarspoker.server.storage.location import address
from liarspoker.server.storage.sealing import Sealer

PREFIX = "LIARSPOKER_"
"""Prefix of every environment variable."""

SECTION = "limits."
"""Prefix of the names of limits; in a file they are in the section `[limits]`."""


class ExplainedError(ValueError):
    """An invalid value, with the reason as users read it; other `ValueError`s are explained by the setting's form."""


def setting(
    meaning: str, form: str = "", *, unit: str = "", secret: bool = False, place: bool = False, **rules: Any
) -> Meta:
    """Describe a setting.

    Args:
        meaning: what it does, as one phrase.
        form: what a value looks like, for strings and lists.
        unit: the unit of a number.
        secret: never show the value.
        place: empty for the usual place, not for none. Outside a file an empty value is rejected, since it is probably
            a variable of a script that isn't set.
        rules: `check`, a function that raises `ValueError` for an invalid value of the right type; and constraints of
            `msgspec.Meta`, such as `ge` and `pattern`.
    """
    more = {"form": form, "unit": unit, "secret": secret, "place": place, "check": rules.pop("check", None)}
    return Meta(description=meaning, extra=more, **rules)


def check_networks(texts: Iterable[str]) -> tuple[str, ...]:
    """Return IP addresses and networks, each as a network.

    Raises:
        ValueError: an item is neither.
    """
    return tuple(str(ip_network(text)) for text in texts)


def check_metrics(text: str) -> str:
    """Validate the setting `metrics`.

    Raises:
        ValueError: it isn't `off`, `local` or `HOST:PORT`.
    """
    host, _, port = text.rpartition(":")
    if text not in ("off", "local") and not (host and port.isascii() and port.isdecimal() and int(port) <= 65535):
        raise ValueError(text)
    return text


def check_collector(text: str) -> str:
    """Validate the setting `traces`.

    Raises:
        ValueError: it isn't an HTTP URL, or contains a password, which `--show-config` would print.
    """
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
        raise ValueError(text)
    return text


def check_internal(text: str) -> str:
    """Validate the setting `internal`.

    Raises:
        ValueError: it isn't `HOST:PORT`, or other nodes couldn't connect to it.
    """
    host, _ = host_and_port(text)
    if host in ("0.0.0.0", "::"):
        raise ExplainedError(f"other nodes must be able to connect to this address, so it can't be {host}")
    return text


def check_database(database: str) -> str:
    """Validate and normalize the URL of a database.

    Raises:
        ValueError: it isn't a valid URL.
    """
    try:
        return database and address(database=database)
    except BadDatabase as error:
        raise ExplainedError(str(error)) from error


def check_key(keys: str) -> str:
    """Validate the setting `key`.

    Raises:
        ValueError: it isn't a list of keys.
    """
    try:
        if keys:
            Sealer(keys)
    except BadKey as error:
        raise ValueError from error
    return keys


def check_bus(text: str) -> str:
    """Validate the address of a bus.

    Raises:
        ValueError: it isn't a valid address.
    """
    if text and not is_address(text):
        raise ValueError
    return text


def check_contact(text: str) -> str:
    """Validate the setting `push_contact`.

    Raises:
        ValueError: it is neither a `mailto:` URL nor the `https:` URL of a host.
    """
    if text and not re.fullmatch(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+", text):
        raise ValueError(text)
    return text


def check_mail_server(text: str) -> str:
    """Validate the setting `mail_server`.

    Raises:
        ValueError: it isn't the URL of a mail server.
    """
    if text:
        mail_server(text)
    return text


def check_sender(text: str) -> str:
    """Validate the setting `mail_sender`.

    Raises:
        ValueError: it isn't an e-mail address.
    """
    if text and not re.fullmatch(r"[\w.+-]+@[\w-]+(\.[\w-]+)*", text):
        raise ValueError(text)
    return text


def check_site(text: str) -> str:
    """Validate the setting `mail_site`.

    Raises:
        ValueError: it isn't the URL of a site, without a path.
    """
    if text and not re.fullmatch(r"https?://[\w.-]+(:\d+)?", text):
        raise ValueError(text)
    return text


_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(text: str) -> float:
    """Return a duration such as "24h" in seconds.

    Raises:
        ValueError: it isn't a duration.

    >>> seconds_of("24h"), seconds_of("1.5m")
    (86400.0, 90.0)
    """
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smhd])", text)
    if found is None or not float(found[1]):
        raise ValueError(text)
    return float(found[1]) * _UNITS[found[2]]


def check_duration(text: str) -> str:
    """Validate a duration that `seconds_of` can read.

    Raises:
        ValueError: it isn't a duration.
    """
    seconds_of(text)
    return text


class ServerSettings(Struct, frozen=True, kw_only=True):
    """The settings of a server.

    To add a setting, add a field. A field of the same name in `Config` receives its value automatically.
    """

    host: Annotated[str, setting("the address to listen on; empty for this machine only", "an address", place=True)] = (
        ""
    )
    port: Annotated[int, setting("the port to listen on; 0 for any free port", ge=0, le=65535)] = 8000
    lan: Annotated[bool, setting("also listen on the local network")] = False
    data: Annotated[str, setting("the data folder; empty for your user's data folder", "a folder", place=True)] = ""
    database: Annotated[
        str,
        setting(
            "the database; empty for a SQLite file in the data folder",
            "postgresql://... or sqlite:///PATH",
            secret=True,
            place=True,
            check=check_database,
        ),
    ] = ""
    key: Annotated[
        str,
        setting(
            "the key that encrypts seeds; empty for the key file in the data folder",
            "32 bytes as URL-safe base64; two such keys during key rotation",
            secret=True,
            place=True,
            check=check_key,
        ),
    ] = ""
    node: Annotated[str, setting("the name of this node among several", "a name", min_length=1)] = "main"
    bus: Annotated[
        str,
        setting(
            "the message bus between nodes; empty for notify with PostgreSQL and local with SQLite",
            "local, notify, or one or more nats://HOST:PORT separated by commas",
            secret=True,
            place=True,
            check=check_bus,
        ),
    ] = ""
    processes: Annotated[
        int, setting("the number of server processes on PostgreSQL; each is a separate node", ge=1, le=256)
    ] = 1
    internal: Annotated[
        str,
        setting(
            "the address at which other nodes reach this one", "HOST:PORT, as in 10.0.0.3:7000", check=check_internal
        ),
    ] = "127.0.0.1:0"
    tls: Annotated[bool, setting("clients reach the server over HTTPS, through a proxy")] = False
    trusted_proxies: Annotated[
        tuple[str, ...],
        setting(
            "the proxies whose X-Forwarded-For header is trusted",
            "addresses or networks, as in 127.0.0.1,10.0.0.0/8",
            check=check_networks,
        ),
    ] = ()
    bot_pause: Annotated[float, setting("the pause before a bot plays", unit="seconds", ge=0, le=60)] = 1.0
    bot_processes: Annotated[int, setting("the number of processes that run bots", ge=1, le=256)] = 1
    drain: Annotated[
        float,
        setting("how long `/ready` reports that the server is stopping before it stops", unit="seconds", ge=0, le=600),
    ] = 0.5
    backup_to: Annotated[str, setting("the folder for automatic backups; empty for no backups", "a folder")] = ""
    backup_every: Annotated[
        str, setting("the interval between automatic backups", "a duration, as in 24h, 30m or 7d", check=check_duration)
    ] = "24h"
    backup_keep: Annotated[int, setting("the number of automatic backups to keep", ge=1, le=10_000)] = 7
    metrics: Annotated[
        str,
        setting(
            "where metrics are served: nowhere, at `/metrics` to this machine only, or on a separate address",
            "off, local or HOST:PORT",
            check=check_metrics,
        ),
    ] = "local"
    traces: Annotated[
        str,
        setting(
            "the OpenTelemetry collector that receives traces (OTLP over HTTP); empty for none",
            "a URL, as in http://127.0.0.1:4318",
            check=check_collector,
        ),
    ] = ""
    notify_after: Annotated[
        float,
        setting(
            "how long a player's pages of a table must be closed before they are notified of their turn",
            unit="seconds",
            ge=0,
            le=3600,
        ),
    ] = 5.0
    push_contact: Annotated[
        str,
        setting(
            "the contact that browsers' push services see; empty for no Web Push",
            "mailto:ADDRESS or https://HOST, as in mailto:ann@example.org",
            check=check_contact,
        ),
    ] = ""
    mail_server: Annotated[
        str,
        setting(
            "the mail server that sends e-mail about turns in correspondence play; empty for no e-mail",
            "smtps://USER:PASSWORD@HOST (TLS), smtp://... (STARTTLS) or smtp+plain://HOST (no encryption)",
            secret=True,
            check=check_mail_server,
        ),
    ] = ""
    mail_sender: Annotated[
        str, setting("the sender of e-mails", "an address, as in poker@example.org", check=check_sender)
    ] = ""
    mail_site: Annotated[
        str, setting("the public URL of this site, for links in e-mails", "https://HOST", check=check_site)
    ] = ""
    mail_after: Annotated[
        float,
        setting(
            "how long a player must have had no page open before an e-mail about their turn",
            unit="seconds",
            ge=60,
            le=86_400,
        ),
    ] = 600.0
    push_private: Annotated[bool, setting("allow push services at private addresses, such as one of your own")] = False
    no_limits: Annotated[bool, setting("turn off all limits that aren't set explicitly")] = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """The description of one setting.

    Attributes:
        name: the field of `ServerSettings`, or `limits.` and the field of `Limits`.
        default: the default value.
        unit: the unit of the value; empty if it has none.
        meaning: what it does.
        form: what a value looks like.
        secret: whether the value is never shown.
        read: converts a value from a file; raises `ValueError`.
        many: whether it is a list of strings, separated by commas outside a file.
        place: whether an empty value is rejected outside a file.
    """

    name: str
    default: Any
    unit: str
    meaning: str
    form: str
    secret: bool
    read: Callable[[Any], Any]
    many: bool = False
    place: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that sets it.

        >>> every_setting()["limits.logins"].variable
        'LIARSPOKER_LIMITS_LOGINS'
        """
        return PREFIX + self.name.upper().replace(".", "_")

    def read_text(self, text: str) -> Any:
        """Convert a string from the environment or the command line.

        Raises:
            ValueError: the value is invalid.
        """
        if self.place and not text.strip():
            raise ExplainedError("the value is empty; to use the default, leave the setting out")
        return self.read([part.strip() for part in text.split(",") if part.strip()] if self.many else text)


def every_setting() -> dict[str, SettingInfo]:
    """Return all settings by name, in the order of the fields, followed by the limits."""
    defaults, infos = ServerSettings(), list[SettingInfo]()
    for name, hint in get_type_hints(ServerSettings, include_extras=True).items():
        if name == SECTION[:-1]:
            continue
        [meta] = hint.__metadata__
        kind, more = hint.__origin__, meta.extra
        form = more["form"] or _form(kind, meta)
        read, many = _reader(hint, more["check"]), get_origin(kind) is tuple
        default = getattr(defaults, name)
        described = more["unit"], meta.description, form, more["secret"]
        infos.append(SettingInfo(name, default, *described, read, many, more["place"]))
    for one in every_limit():
        form = "a number, a rate as in 5/0.1, or none"
        infos.append(SettingInfo(SECTION + one.name, one.default, one.unit, one.meaning, form, False, _limit(one.name)))
    return {info.name: info for info in infos}


def _form(kind: type, meta: Meta) -> str:
    if kind is bool:
        return "true or false"
    return f"{'an integer' if kind is int else 'a number'} from {meta.ge} to {meta.le}"


def _reader(hint: Any, check: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    def read(given: Any) -> Any:
        value = convert(given, hint, strict=not isinstance(given, str))
        return value if check is None else check(value)

    return read


def _limit(name: str) -> Callable[[Any], Any]:
    def read(given: Any) -> Any:
        text = format_number(given) if isinstance(given, float) else str(given)
        return getattr(with_limits(Limits(), [f"{name}={text}"]), name)

    return read


def as_toml(settings: ServerSettings) -> str:
    """Return the settings as a TOML file, with a comment on each; secrets are left out."""
    document, section = tomlkit.document(), tomlkit.table()
    document.add(tomlkit.comment("Settings of `liarspoker serve`; pass this file with --config."))
    for info in every_setting().values():
        short = info.name.removeprefix(SECTION)
        place: Any = section if info.name.startswith(SECTION) else document
        value = getattr(settings.limits if place is section else settings, short)
        place.add(tomlkit.nl())
        place.add(tomlkit.comment(description_of(info)))
        if info.secret:
            place.add(tomlkit.comment(f"{short} = {'(hidden)' if value else '(not set)'}"))
        else:
            place.add(short, toml_value(value))
    document.add(tomlkit.nl())
    document.add(SECTION[:-1], section)
    return document.as_string()


def description_of(info: SettingInfo) -> str:
    """Return what a setting does, with its unit."""
    return info.meaning + (f" ({info.unit})" if info.unit else "")


def toml_value(value: Any) -> Any:
    """Return the TOML value of a setting."""
    return format_limit(value) if value is None or isinstance(value, Limit) else value


def settings_table() -> Iterator[tuple[SettingInfo, str]]:
    """Yield every setting except the limits, with its default in TOML."""
    for info in every_setting().values():
        if not info.name.startswith(SECTION):
            yield info, tomlkit.item(toml_value(info.default)).as_string()
