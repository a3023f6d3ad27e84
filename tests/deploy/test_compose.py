"""The containers in `deploy/compose.yaml` fit together, and their settings are valid."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from liarspoker.server.setting_sources import combined, read_environment
from liarspoker.server.settings import every_setting
from tests.deploy.proxies import DEPLOY

COMPOSE: dict[str, Any] = import_module("yaml").safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
NODES = sorted(name for name in SERVICES if name.startswith("node-"))
KNOWN = {info.variable for info in every_setting().values()}


@pytest.mark.parametrize("name", NODES)
def test_the_compose_environment_contains_valid_settings(name: str) -> None:
    given: dict[str, str] = SERVICES[name]["environment"]
    files = {variable: path for variable, path in given.items() if variable.endswith("_FILE")}
    assert {variable.removesuffix("_FILE") for variable in files} == {"LIARSPOKER_KEY", "LIARSPOKER_DATABASE"}
    assert given.keys() - files.keys() <= KNOWN
    assert {path.removeprefix("/run/secrets/") for path in files.values()} == set(SERVICES[name]["secrets"])
    settings = combined(read_environment({key: value for key, value in given.items() if key not in files}))
    assert settings.tls
    assert settings.trusted_proxies == (f"{SERVICES['caddy']['networks']['front']['ipv4_address']}/32",)
    assert settings.internal == f"{settings.node}.nodes:7000"
    assert SERVICES[name]["networks"]["back"]["aliases"] == [f"{settings.node}.nodes"]
    assert float(SERVICES[name]["stop_grace_period"].rstrip("s")) >= settings.drain + 20


def test_caddy_proxies_to_all_nodes_and_waits_until_they_are_healthy() -> None:
    caddy = SERVICES["caddy"]
    assert caddy["environment"]["LIARSPOKER_NODES"].split() == [f"{name}:8000" for name in NODES]
    assert sorted(caddy["depends_on"]) == NODES
    assert len({SERVICES[name]["environment"]["LIARSPOKER_NODE"] for name in NODES}) == len(NODES)


def test_everything_that_services_use_is_declared() -> None:
    for service in SERVICES.values():
        assert set(service.get("secrets", ())) <= COMPOSE["secrets"].keys()
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
        volumes = [volume.partition(":")[0] for volume in service.get("volumes", ())]
        assert all(name in COMPOSE["volumes"] or (DEPLOY / name).is_file() for name in volumes)
        assert service["restart"] == "always"
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory"}
