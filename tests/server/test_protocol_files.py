"""The JSON Schema and the browser's types are generated from the message classes, and are up to date."""

import json
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.tables.golden import frames_kept, logs
from tools import protocol


def test_the_committed_files_are_those_that_are_generated() -> None:
    assert protocol.SCHEMA.read_text("utf-8") == protocol.schema(), "python -m tools.protocol"
    assert protocol.TYPES.read_text("utf-8") == protocol.types(), "python -m tools.protocol"


@pytest.mark.parametrize("name", logs())
def test_what_a_server_has_sent_once_fits_the_schema(name: str) -> None:
    document = json.loads(protocol.SCHEMA.read_text("utf-8"))
    told: dict[str, Any] = {}
    states = Draft202012Validator({"$ref": "#/$defs/State", "$defs": document["$defs"]})
    for frame in frames_kept(name):
        told |= frame
        you = told.get("user-1", told["user-0"])
        state = {"kind": "state", "version": 1, "now": 1.5, "public": told["public"], "you": you}
        states.validate(state)
