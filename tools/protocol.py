"""Generate the JSON Schema of the live protocol and the browser's TypeScript types from the message classes.

Run `python tools/protocol.py` after a message has changed; `--check` only reports whether the files are up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct, inspect

from liarspoker.protocol import documents, http
from liarspoker.protocol.commands import AnyCommand
from liarspoker.protocol.events import AnyEvent
from liarspoker.protocol.frames import (
    Answer,
    CheckFrame,
    CommandFrame,
    DownFrame,
    Error,
    Invitations,
    Ping,
    Pong,
    TableNews,
    Welcome,
)
from liarspoker.protocol.settings import NewTable
from liarspoker.protocol.views import HandView, RoundView
from liarspoker.server.routes.messages import portable, view_classes
from liarspoker.web.live import DraftFrame, FormFrame, PageFrame

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "docs" / "reference" / "live-protocol.schema.json"
TYPES = ROOT / "client" / "src" / "protocol.ts"

OPEN = view_classes()
"""Base classes in place of any of their subclasses; each family of games has one subclass."""

UNIONS: dict[str, tuple[type[Struct], ...]] = {
    "UpFrame": (CommandFrame, CheckFrame, Ping),
    "DownFrame": get_args(DownFrame),
    "Command": get_args(AnyCommand),
    "Event": get_args(AnyEvent),
    "RoundView": OPEN[RoundView],
    "HandView": OPEN[HandView],
}
PAGE_UNIONS: dict[str, tuple[type[Struct], ...]] = {
    "PageUpFrame": (FormFrame, DraftFrame, Ping),
    "PageDownFrame": (PageFrame, Answer, Welcome, Pong, Error, Invitations),
}


def _requests() -> Iterator[type[Struct]]:
    for kind in (*vars(http).values(), *vars(documents).values()):
        if isinstance(kind, type) and issubclass(kind, Struct) and kind not in (Struct, http.Request):
            yield kind


def schema() -> str:
    """Return the JSON Schema of everything that is sent, received or stored."""
    roots = {kind for union in UNIONS.values() for kind in union} | {*_requests(), NewTable, TableNews, Invitations}
    template = "#/$defs/{name}"
    _, definitions = msgspec.json.schema_components(
        sorted(roots, key=lambda kind: kind.__name__), ref_template=template
    )
    for name, union in UNIONS.items():
        definitions[name] = {"anyOf": [{"$ref": template.format(name=kind.__name__)} for kind in union]}
    definitions["CommandFrame"]["properties"]["command"] = {"$ref": template.format(name="Command")}
    definitions = portable(definitions)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The live protocol of liarspoker, version 1",
        "anyOf": [{"$ref": template.format(name=name)} for name in ("UpFrame", "DownFrame")],
    }
    lines = [f"{json.dumps(name)}: {json.dumps(definitions[name], ensure_ascii=False)}" for name in sorted(definitions)]
    return json.dumps(head)[:-1] + ', "$defs": {\n' + ",\n".join(lines) + "\n}}\n"


_PLAIN = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
    inspect.RawType: "Command",
}


def _type(info: inspect.Type) -> str:
    """Return a type in TypeScript."""
    match info:
        case inspect.StructType():
            return info.cls.__name__
        case inspect.UnionType():
            return " | ".join(dict.fromkeys(map(_type, info.types)))
        case inspect.LiteralType():
            return " | ".join(json.dumps(value) for value in info.values)
        case inspect.TupleType():
            return f"readonly [{', '.join(map(_type, info.item_types))}]"
        case inspect.VarTupleType() | inspect.ListType():
            item = _type(info.item_type)
            return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        case inspect.DictType():
            return f"{{ readonly [key: string]: {_type(info.value_type)} }}"
        case inspect.Metadata():
            return _type(info.type)
    return _PLAIN[type(info)]


def _structs(info: Any, found: dict[type[Struct], inspect.StructType]) -> None:
    """Collect the structs that a type is made of."""
    if isinstance(info, inspect.StructType):
        if info.cls in found or info.cls in OPEN:
            return
        found[info.cls] = info
        for field in info.fields:
            _structs(field.type, found)
    for name in ("types", "item_types", "item_type", "value_type", "type"):
        part = getattr(info, name, ())
        for one in part if isinstance(part, tuple) else (part,):
            _structs(one, found)


def _interface(info: inspect.StructType) -> str:
    fields = [f"readonly {info.tag_field}: {json.dumps(info.tag)}"] if info.tag_field else []
    config = info.cls.__struct_config__
    for field in info.fields:
        # Sent messages contain every field, or omit those with default values; received ones may omit them.
        kind, optional = field.type, not field.required and (config.omit_defaults or config.forbid_unknown_fields)
        if config.omit_defaults and field.default is None and isinstance(kind, inspect.UnionType):
            kind = inspect.UnionType(tuple(one for one in kind.types if not isinstance(one, inspect.NoneType)))
        fields.append(f"readonly {field.encode_name}{'?' if optional else ''}: {_type(kind)}")
    return f"export interface {info.cls.__name__} {{ {'; '.join(fields)} }}"


def types() -> str:
    """Return the TypeScript types of what a browser sends and receives."""
    unions = {name: union for name, union in {**UNIONS, **PAGE_UNIONS}.items() if name != "Event"}
    found: dict[type[Struct], inspect.StructType] = {}
    for union in unions.values():
        for kind in union:
            _structs(inspect.type_info(kind), found)
    lines = ["// Generated by tools/protocol.py from liarspoker.protocol; do not edit."]
    lines += [_interface(info) for _, info in sorted(found.items(), key=lambda item: item[0].__name__)]
    lines += [f"export type {name} = {' | '.join(kind.__name__ for kind in union)};" for name, union in unions.items()]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write both files, or compare them."""
    wanted = {SCHEMA: schema(), TYPES: types()}
    if "--check" in arguments:
        stale = [str(path.relative_to(ROOT)) for path, text in wanted.items() if path.read_text("utf-8") != text]
        print("\n".join(f"{name} is out of date: run python tools/protocol.py" for name in stale))
        return len(stale)
    for path, text in wanted.items():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
