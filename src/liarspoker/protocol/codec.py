"""One validating codec: every type has one decoder, which is made once and kept; and fields that messages share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Raw, inspect

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
    """Input that isn't a message of the expected type; only the first fault is reported.

    Attributes:
        path: the location of the fault, such as `clock.turn`; empty for the message itself.
    """

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path


class Reader(Generic[T]):
    """Decode and check messages of one type. Integers are exact at any length; of a key given twice the last counts.

    Args:
        kind: a struct, or a tagged union of structs.
        hook: makes a value of a type that isn't JSON's, given that type and what was read; see `msgspec.convert`.
    """

    def __init__(self, kind: Any, hook: Callable[[Any, Any], Any] | None = None) -> None:
        self._kind = kind
        self._hook = hook
        self._decode = msgspec.json.Decoder(kind, dec_hook=hook).decode

    def read(self, text: bytes | str | Raw) -> T:
        """Decode JSON.

        Raises:
            Malformed: the text isn't such a message.
        """
        try:
            message: T = self._decode(text)
        except (ValueError, RecursionError) as error:  # ValueError includes DecodeError and UnicodeDecodeError
            raise self._malformed(error) from None
        return message

    def convert(self, value: object) -> T:
        """Check a value that was parsed elsewhere, such as the fields of a form.

        Raises:
            Malformed: the value isn't such a message.
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
    """The names of types as people call them."""
    return " or ".join(_WORDS[name] for name in types[0].strip("`").split(" | "))


def _choices(kind: Any, path: str) -> list[str]:
    """The tags or literals that are valid at `path`."""
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
    """Encode a message as JSON without blanks."""
    return _encode(message).decode()


def encode_bytes(message: object) -> bytes:
    """The same in UTF-8, as sockets send it."""
    return _encode(message)


class Encoded(Generic[T_co]):
    """A message and its JSON, which is written when first needed and kept."""

    __slots__ = ("_json", "_message")

    def __init__(self, message: T_co) -> None:
        self._message = message
        self._json: bytes | None = None

    @property
    def message(self) -> T_co:
        """The message itself, for users in the same process."""
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
"""1 to 64 visible ASCII characters, without blanks."""

UserId = Annotated[str, Meta(min_length=1, max_length=64)]
Units = Annotated[int, Meta(ge=1, le=10**6)]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as lower-case hexadecimal digits."""

Options = Annotated[dict[str, bool | int | str], Meta(max_length=40)]
"""Options of a game by name, as a record writes them."""


def check_printable(**texts: object) -> None:
    """Reject texts with characters that can't be shown, such as line breaks and half characters.

    Raises:
        ValueError: naming the field.
    """
    for name, text in texts.items():
        if isinstance(text, str) and not text.isprintable():
            raise ValueError(f"{name}: use visible characters only")
