"""A PostgreSQL server for tests, from the system's binaries, which can be stopped, killed and restarted."""

import os
import shutil
import subprocess
import tempfile
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import psycopg
import sqlalchemy as sa

from liarspoker.server.storage.migrate import migrate
from tests.system_programs import skip_without

# Data needn't survive a crash of the machine, so fsync is off.
SETTINGS = "-c listen_addresses= -c fsync=off -c max_connections=50 -c deadlock_timeout=50ms"
DURABLE = SETTINGS.replace("fsync=off", "fsync=on")


def binaries() -> Path | None:
    """The folder of PostgreSQL's programs; `None` if they aren't installed."""
    found = shutil.which("initdb")
    folders = [Path(os.path.realpath(found)).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists() and (folder / "pg_ctl").exists()), None)


class Server:
    """A server with its own data folder, reached through a Unix socket. It never runs as root.

    Args:
        folder: an empty folder.
        programs: the folder of PostgreSQL's programs.
        durable: wait for the disk, and detect damaged pages.
        environment: additional environment variables.
    """

    def __init__(
        self, folder: Path, programs: Path, durable: bool = False, environment: dict[str, str] | None = None
    ) -> None:
        self.folder = folder
        self._data = str(folder / "data")
        self._programs = programs
        self._as: dict[str, Any] = {}
        self._template = ""
        self._settings = DURABLE if durable else SETTINGS
        self._environment = {**os.environ, **(environment or {})}
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            self._as = {"user": "postgres", "group": "postgres", "extra_groups": []}
        sums = ["--data-checksums"] if durable else []
        self._run("initdb", "-D", self._data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", *sums)

    def _run(self, program: str, *words: str) -> None:
        # The server inherits the open files of pg_ctl, so waiting for the end of a pipe would hang.
        command = [str(self._programs / program), *words]
        with (self.folder / "log").open("ab") as log:
            ended = subprocess.run(
                command, stdout=log, stderr=log, cwd=self.folder, check=False, env=self._environment, **self._as
            )
        if ended.returncode:
            raise RuntimeError((self.folder / "log").read_text())

    @property
    def url(self) -> str:
        """The address of the server's first database."""
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start the server if it isn't running, and wait until it responds."""
        if not (self.folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "start", "-w", "-s", "-D", self._data, "-o", f"-k {self.folder} {self._settings}")

    def stop(self, how: Literal["fast", "immediate"]) -> None:
        """Stop the server: `fast` closes all connections in order, `immediate` is like a crash."""
        self._run("pg_ctl", "stop", "-w", "-s", "-D", self._data, "-m", how)

    def end(self) -> None:
        """Stop the server as in a crash, if it is running."""
        with suppress(RuntimeError):
            self.stop("immediate")

    def new_database(self, migrated: bool = True) -> str:
        """Create a migrated or empty database, and return its address."""
        if migrated and not self._template:
            self._template = self.new_database(migrated=False)
            migrate(self._template)
        name, source = f"test_{uuid.uuid4().hex}", sa.make_url(self._template).database if migrated else "template1"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {source}".encode())
        return self.url.replace("/postgres?", f"/{name}?")

    def drop(self, url: str) -> None:
        """Delete a database, even if clients are connected."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {sa.make_url(url).database} WITH (FORCE)".encode())


def start_server() -> Server:
    """Run a server. Without the binaries the test is skipped, except in continuous integration, where it fails."""
    programs = binaries()
    if programs is None:
        skip_without("PostgreSQL", "postgresql")
    # socket paths must be short
    server = Server(Path(tempfile.mkdtemp(prefix="lp-pg-")), programs)
    server.start()
    return server
