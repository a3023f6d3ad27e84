"""The commands in "Run a server" work; those that would change the machine are replaced."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from liarspoker.server.setting_sources import combined, read_environment, read_file
from tests.deploy.proxies import DEPLOY, free_port
from tests.system_programs import skip_without

HOW_TO = DEPLOY.parent / "docs/how-to"
COMMANDS = re.compile(r"^```\{code-block\} bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Replacements for system programs: systemctl runs the unit's command, and the others do nothing.
MACHINE = """
apt-get() { :; }; useradd() { :; }; install() { :; }; journalctl() { :; }; cp() { :; }; ln() { :; }
runuser() { shift 3; "$@"; }
python3() { [ "$2" = venv ] || command python3 "$@"; }
server=
stop() { [ -z "$server" ] || { kill $server; wait $server || true; }; server=; }
start() {
    LIARSPOKER_DATA=ROOT/var/lib/liarspoker LIARSPOKER_KEY_FILE=ROOT/etc/liarspoker/key \\
        LIARSPOKER serve --config ROOT/etc/liarspoker/server.toml >> ROOT/journal 2>&1 &
    server=$!
}
systemctl() {
    case "$*" in
        "enable --now liarspoker@main" | "start liarspoker@main") start ;;
        "stop liarspoker@main") stop ;;
        "restart liarspoker@main") stop; start ;;
    esac
}
trap stop EXIT
"""


@pytest.mark.slow
def test_a_server_is_set_up_backed_up_restored_and_upgraded(tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        skip_without("curl", "curl")
    program = f"{sys.executable} -m liarspoker"
    script = "\n".join(COMMANDS.findall((HOW_TO / "run-a-server.md").read_text(encoding="utf-8")))
    script = re.sub(r"^(\$NEW/bin/pip|curl .*https:).*\n", "", script, flags=re.MULTILINE)
    script = script.replace("/opt/liarspoker/bin/liarspoker", program).replace("8001", str(free_port()))
    script = re.sub(r"(?<=[ \"=])/(etc|opt|var)/", rf"{tmp_path}/\1/", script)
    for folder in ("etc/systemd/system", "opt/liarspoker-0", "var/lib/liarspoker", "var/backups/liarspoker"):
        (tmp_path / folder).mkdir(parents=True)
    whole = MACHINE.replace("LIARSPOKER serve", f"{program} serve").replace("ROOT", str(tmp_path)) + script
    ended = subprocess.run(
        ["bash", "-euo", "pipefail"],
        input=whole,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}\n{(tmp_path / 'journal').read_text()}"
    assert ended.stdout.count('{"status":"ready"') == 4
    assert "liarspoker_tables" in ended.stdout
    for folder in ("lib/liarspoker/before/liarspoker.sqlite3", "backups/liarspoker/before-upgrade.zip"):
        assert (tmp_path / "var" / folder).exists()


def test_the_documented_settings_of_many_nodes_are_valid(tmp_path: Path) -> None:
    text = (HOW_TO / "run-ten-thousand-players.md").read_text(encoding="utf-8")
    [toml] = re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "server.toml").write_text(toml, encoding="utf-8")
    given = dict(re.findall(r"^(LIARSPOKER_[A-Z]+)=(\S+)$", text, re.MULTILINE))
    settings = combined(read_file(tmp_path / "server.toml"), read_environment(given))
    assert settings.internal == "10.0.0.11:7001"
    assert len(read_environment(given)) == len(given)


def test_sizing_recommends_more_processes_for_more_players() -> None:
    command = [sys.executable, str(DEPLOY.parent / "benchmarks/sizing.py"), "--players", "50000"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    processes = [int(number) for number in re.findall(r"processes +(\d+) +with", printed)]
    assert len(processes) == 3
    assert processes == sorted(set(processes))
