"""Request and response bodies for FastAPI. msgspec decodes, encodes and documents them instead of pydantic."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Body
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from liarspoker.protocol.codec import Malformed, Reader

T = TypeVar("T")


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
        document = msgspec.json.schema(schema["metadata"]["kind"])
        described: dict[str, Any] = _inlined(document, document["$defs"])
        return described


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema with every reference replaced by its definition."""
    if isinstance(part, list):
        return [_inlined(one, definitions) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(value, definitions) for key, value in part.items() if key != "$defs"}


_MESSAGE = _Message()

ResponseBody = Annotated[T, _MESSAGE]
"""Annotates a struct as a response body."""

RequestBody = Annotated[T, _MESSAGE, Body()]
"""Annotates a struct as a request body."""
