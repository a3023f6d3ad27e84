"""The validating JSON codec, with one cached decoder per type, and field types that messages share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Raw, inspect
from wcwidth import iter_graphemes

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_encode = msgspec.json.Encoder().encode
_WORDS = {
    "int": "an integer",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_TYPES = re.compile(rf"`({'|'.join(_WORDS)})( \| ({'|'.join(_WORDS)}))*`")
_PLACE = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<path>.*)`)?", re.DOTALL)


class Malformed(ValueError):
    """Input that isn't a message of the expected type. Only the first error is reported.

    Attributes:
        path: location of the error, such as `clock.turn`; empty for the message itself.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path


class Reader(Generic[T]):
    """Decode and validate messages of one type.

    Integers are exact at any length. If a key appears twice, the last value is used.

    Args:
        kind: a struct, or a tagged union of structs.
        hook: converts decoded JSON to a type that JSON doesn't have; see `dec_hook` of `msgspec.convert`.
    """

    def __init__(self, kind: Any, hook: Callable[[Any, Any], Any] | None = None) -> None:
        self._kind = kind
        self._hook = hook
        self._decode = msgspec.json.Decoder(kind, dec_hook=hook).decode

    def read(self, text: bytes | str | Raw) -> T:
        """Decode a message from JSON.

        Raises:
            Malformed: the text isn't a valid message of this type.
        """
        try:
            message: T = self._decode(text)
        except (ValueError, RecursionError) as error:  # ValueError includes DecodeError and UnicodeDecodeError
            raise self._malformed(error) from None
        return message

    def convert(self, value: object) -> T:
        """Validate a value that was parsed elsewhere, such as the fields of a form.

        Raises:
            Malformed: the value isn't a valid message of this type.
        """
        try:
            message: T = msgspec.convert(value, self._kind, dec_hook=self._hook)
        except (ValueError, RecursionError) as error:
            raise self._malformed(error) from None
        return message

    def _malformed(self, error: Exception) -> Malformed:
        if isinstance(error, RecursionError):
            return Malformed("the JSON is nested too deeply")
        found = _PLACE.fullmatch(str(error))
        assert found is not None
        what, path = found["what"], found["path"] or ""
        if what.startswith("Invalid"):
            what += f"; expected one of {', '.join(_choices(self._kind, path))}"
        return Malformed(_TYPES.sub(_in_words, what[:1].lower() + what[1:]), path)


def _in_words(types: re.Match[str]) -> str:
    """Replace JSON type names by plain words."""
    return " or ".join(_WORDS[name] for name in types[0].strip("`").split(" | "))


def _choices(kind: Any, path: str) -> list[str]:
    """Return the tags or literals that are valid at `path`."""
    found = _alternatives(inspect.type_info(kind))
    *before, last = path.split(".")
    for name in before:
        found = [one for struct in found for field in _fields(struct, name) for one in _alternatives(field.type)]
    tags = [str(one.tag) for one in found if isinstance(one, inspect.StructType) and one.tag_field == last]
    literals = [
        str(value)
        for struct in found
        for field in _fields(struct, last)
        for one in _alternatives(field.type)
        if isinstance(one, inspect.LiteralType)
        for value in one.values
    ]
    return tags or list(dict.fromkeys(literals))


def _fields(struct: inspect.Type, name: str) -> list[inspect.Field]:
    fields = struct.fields if isinstance(struct, inspect.StructType) else ()
    return [field for field in fields if field.encode_name == name]


def _alternatives(info: inspect.Type) -> list[inspect.Type]:
    return list(info.types) if isinstance(info, inspect.UnionType) else [info]


def encode(message: object) -> str:
    """Encode a message as JSON without whitespace."""
    return _encode(message).decode()


def encode_bytes(message: object) -> bytes:
    """Encode a message as JSON in UTF-8, as sockets send it."""
    return _encode(message)


class Encoded(Generic[T_co]):
    """A message and its JSON, which is encoded on first use and cached."""

    __slots__ = ("_json", "_message")

    def __init__(self, message: T_co) -> None:
        self._message = message
        self._json: bytes | None = None

    @property
    def message(self) -> T_co:
        """The message itself, for use within the process."""
        return self._message

    @property
    def json(self) -> bytes:
        """The message as JSON, in UTF-8."""
        if self._json is None:
            self._json = self.write()
        return self._json

    @property
    def text(self) -> str:
        """The message as JSON."""
        return self.json.decode()

    def write(self) -> bytes:
        """Encode the message."""
        return encode_bytes(self.message)


Count = Annotated[int, Meta(ge=0, le=2**53)]
"""A non-negative integer that every JSON library reads exactly."""

ChairNumber = Annotated[int, Meta(ge=0, le=15)]
MessageId = Annotated[str, Meta(pattern=r"\A[!-~]{1,64}\Z")]
"""1 to 64 visible ASCII characters without spaces."""

UserId = Annotated[str, Meta(min_length=1, max_length=64)]
Units = Annotated[int, Meta(ge=1, le=10**6)]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as lower-case hexadecimal digits."""

Options = Annotated[dict[str, bool | int | str], Meta(max_length=40)]
"""Game options by name, written as in a game record."""


JOINER = "\N{ZERO WIDTH JOINER}"
"""Joins emoji to one, such as the members of a family."""


def character_count(text: str) -> int:
    """Return the number of characters that a reader sees.

    A letter with accents counts as one, and so does an emoji with everything that modifies it or is joined to it.

    >>> [character_count(text) for text in ("four", "e\u0301", "\u2764\ufe0f", "\U0001f44d\U0001f3fd")]
    [4, 1, 1, 1]
    >>> character_count("\U0001f469\u200d\U0001f467 \U0001f1e8\U0001f1ed")  # a family, a space and a flag
    3
    """
    return sum(1 for _ in iter_graphemes(text))


def check_printable(**texts: object) -> None:
    """Reject texts with unprintable characters, such as line breaks and lone surrogates.

    Raises:
        ValueError: a text is unprintable; the message names the field.
    """
    for name, text in texts.items():
        if isinstance(text, str) and not text.isprintable():
            raise ValueError(f"{name}: use visible characters only")
