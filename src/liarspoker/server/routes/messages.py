"""Request and response bodies, and streams of lines, for FastAPI.

msgspec decodes, encodes and documents messages instead of pydantic.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Body
from msgspec import Struct
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema
from starlette.responses import StreamingResponse

from liarspoker.core import catalogue
from liarspoker.protocol.codec import Malformed, Reader
from liarspoker.protocol.views import HandView, RoundView

T = TypeVar("T")

LINES = "application/x-ndjson"
"""The media type of JSON lines."""


class JsonLines(StreamingResponse):
    """A stream of JSON lines."""

    media_type = LINES


class _Message:
    """Annotation that makes pydantic use msgspec to validate, encode and describe a struct."""

    def __get_pydantic_core_schema__(self, kind: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        reader: Reader[object] = Reader(kind)

        def check(value: object) -> object:
            if isinstance(value, kind):
                return value
            try:
                return reader.convert(value)
            except Malformed as error:
                raise PydanticCustomError("message", "{reason}", {"reason": str(error)}) from None

        return core_schema.no_info_plain_validator_function(
            check,
            serialization=core_schema.plain_serializer_function_ser_schema(msgspec.to_builtins),
            metadata={"kind": kind},
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return schema_of(schema["metadata"]["kind"])


def view_classes() -> dict[type[Struct], tuple[type[Struct], ...]]:
    """Return the classes of the views of a round, one per game family, by the base class that messages name."""
    rounds = tuple(dict.fromkeys(catalogue.family(row.family).round_view() for row in catalogue.games()))
    return {RoundView: rounds, HandView: tuple(kind.hand_type for kind in rounds)}


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a struct, or a union of structs, without references.

    >>> from liarspoker.protocol.frames import Pong
    >>> schema_of(Pong)["properties"]
    {'kind': {'enum': ['pong']}, 'now': {'type': 'number'}}
    """
    classes = view_classes()
    views = [view for kinds in classes.values() for view in kinds]
    [root, *_], definitions = msgspec.json.schema_components((kind, *views))
    for base, kinds in classes.items():
        definitions[base.__name__] = {"anyOf": [{"$ref": view.__name__} for view in kinds]}
    described: dict[str, Any] = portable(_inlined(root, definitions))
    return described


def portable(part: Any) -> Any:
    r"""Return a JSON Schema in which patterns have the anchors of JSON Schema rather than those of Python.

    >>> portable({"type": "string", "pattern": r"\A[0-9]+\Z"})
    {'type': 'string', 'pattern': '^[0-9]+$'}
    """
    if isinstance(part, list):
        return [portable(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {key: portable(value) for key, value in part.items()}
    if isinstance(part.get("pattern"), str):
        found["pattern"] = part["pattern"].replace(r"\A", "^").replace(r"\Z", "$")
    return found


def json_lines(kind: Any) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a route that streams messages of a kind: a struct, or a union of structs."""
    return {200: {"content": {LINES: {"itemSchema": schema_of(kind)}}}}


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with every reference replaced by its definition."""
    if isinstance(part, list):
        return [_inlined(one, definitions) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    # A discriminator refers to definitions; the constants of the tag field say the same.
    return {key: _inlined(value, definitions) for key, value in part.items() if key != "discriminator"}


_MESSAGE = _Message()

ResponseBody = Annotated[T, _MESSAGE]
"""Annotates a struct as a response body."""

RequestBody = Annotated[T, _MESSAGE, Body()]
"""Annotates a struct as a request body."""
