"""One command starts several nodes on one port, keeps them running, and ends them all."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
import pytest

from liarspoker.cli import main
from tests.server import inprocess
from tests.server.inprocess import eventually, written_lines
from tests.server.postgres import Server as Postgres
from tests.server.running import RunningServer, running_server

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several programs start at once, and each takes seconds on a busy machine."""
    monkeypatch.setattr(inprocess, "PATIENCE", 100.0)


@pytest.fixture
def together(postgres: Postgres, tmp_path: Path) -> Iterator[RunningServer]:
    """Two nodes of one command."""
    url = postgres.new_database()
    with running_server(tmp_path, "--database", url, "--processes", "2", "--node", "club") as server:
        yield server
        if server.process.poll() is None:
            server.stop()
    postgres.drop(url)


def children(process: int) -> list[int]:
    """Return the running child processes of a process."""
    return [int(pid) for pid in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def open_files(process: int) -> Iterator[str]:
    """Yield what a process has open; it may close something at the same time."""
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            yield os.readlink(link)


def alive(process: int) -> bool:
    """Return whether a process is running and isn't a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def names(server: RunningServer) -> list[str]:
    """Return the names of the running nodes."""
    url = server.words[server.words.index("--database") + 1]
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT name FROM nodes WHERE expires > extract(epoch FROM now()) ORDER BY name")
        return [name for (name,) in rows]


def accepted(server: RunningServer) -> list[int]:
    """Open many connections, and count those that each node's process has accepted."""
    with ExitStack() as many:
        address = "127.0.0.1", server.port
        ours = {many.enter_context(socket.create_connection(address)).getsockname()[1] for _ in range(150)}

        def taken(node: int) -> int:
            links = set(open_files(node))
            rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
            return sum(int(row[2].partition(":")[2], 16) in ours and f"socket:[{row[9]}]" in links for row in rows)

        nodes = children(server.process.pid)
        eventually(lambda: sum(map(taken, nodes)) == len(ours))
        return list(map(taken, nodes))


def test_each_node_has_a_name_and_accepts_connections(together: RunningServer) -> None:
    assert names(together) == ["club-1", "club-2"]
    assert together.ask("/ready")["status"] == "ready"
    assert min(accepted(together)) > 40, "75 ± 6 are expected"


def test_a_dead_node_is_restarted_while_others_continue(together: RunningServer) -> None:
    before = children(together.process.pid)
    os.kill(before[0], signal.SIGKILL)
    eventually(lambda: len(set(children(together.process.pid)) - set(before)) == 1)
    assert set(before[1:]) <= set(children(together.process.pid))
    eventually(lambda: '"node ended, restarting"' in (together.folder / "serve.log").read_text())
    eventually(lambda: (together.folder / "serve.log").read_text().count('"ready"') == 3)
    assert names(together) == ["club-1", "club-2"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_all_nodes_stop_when_the_command_is_stopped(together: RunningServer, number: signal.Signals) -> None:
    nodes = children(together.process.pid)
    together.process.send_signal(number)
    assert together.process.wait(20) == 0
    assert not any(map(alive, nodes))
    journal = (together.folder / "serve.log").read_text()
    assert journal.count('"stopped"') == 2
    assert "Traceback" not in journal


def test_all_nodes_stop_when_the_command_is_killed(together: RunningServer) -> None:
    nodes = children(together.process.pid)
    together.process.kill()
    eventually(lambda: not any(map(alive, nodes)))


def test_a_node_that_fails_to_start_ends_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    url = f"postgresql://nobody@/nothing?host={tmp_path}"
    with written_lines():
        assert main(["serve", "--port", "0", "--data", str(tmp_path), "--database", url, "--processes", "2"]) == 1
    printed = capfd.readouterr().err
    assert "liarspoker: the database" in printed
    assert printed.splitlines()[-1].startswith("liarspoker: main-")
    assert printed.splitlines()[-1].endswith("ended before it served; see the log lines above")


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def serve(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["serve", "--processes", "2", *words])
        assert ended.value.code == 2
        return capsys.readouterr().err

    return serve


def test_settings_that_several_processes_cannot_use_are_rejected(refused: Callable[..., str]) -> None:
    assert "give --database postgresql://" in refused()
    assert "write port 0" in refused("--database", "postgresql://a/b", "--internal", "127.0.0.1:7000")


def test_a_port_in_use_is_rejected_even_if_it_could_be_shared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        with written_lines():
            words = ["--port", port, "--data", str(tmp_path), "--database", "postgresql://a/b", "--processes", "2"]
            assert main(["serve", *words]) == 1
    assert "choose another port with --port" in capsys.readouterr().err
