import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.errors import BadDatabase, NewerDatabase, OlderNode
from liarspoker.server.storage.location import address
from liarspoker.server.storage.log import SHARD_COUNT
from liarspoker.server.storage.migrate import FOLDER, REVISIONS, connected, migrate, revision_of
from liarspoker.server.storage.schema import METADATA
from liarspoker.server.storage.storage import Storage
from tests.server.storage.tables import SEALER


def test_migrations_create_exactly_the_schema(url: str) -> None:
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
        assert revision_of(connection) == REVISIONS[-1]


def test_revisions_follow_each_other_in_the_order_of_their_file_names() -> None:
    assert tuple(script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions()) == REVISIONS[::-1]


def test_migrating_again_changes_nothing(url: str) -> None:
    with connected(url) as connection:
        connection.execute(sa.text("INSERT INTO users (user_id, name, created_at) VALUES ('u', 'Ann', 1.0)"))
    migrate(url)
    with connected(url) as connection:
        assert connection.execute(sa.text("SELECT name FROM users")).scalars().all() == ["Ann"]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_an_up_to_date_schema_needs_no_libraries_for_others(url: str) -> None:
    """They would make every restart longer."""
    program = (
        "import sys, liarspoker.server.run, liarspoker.web.app; from liarspoker.server.storage.migrate import migrate; "
        f"migrate({url!r}); print({{'alembic', 'psycopg'}} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ended.stdout == "set()\n"


def test_a_database_of_a_newer_version_is_rejected_unchanged(url: str) -> None:
    with connected(url) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabase, match=r"revision 9999.*run the newer version"):
        migrate(url)
    with connected(url) as connection:
        assert revision_of(connection) == "9999"


def test_a_failed_migration_leaves_nothing_behind(empty_url: str) -> None:
    with connected(empty_url) as connection:
        connection.execute(sa.text("CREATE TABLE tokens (token_hash TEXT)"))
    with pytest.raises(BadDatabase, match="tokens"):
        migrate(empty_url)
    with connected(empty_url) as connection:
        assert sa.inspect(connection).get_table_names() == ["tokens"]


def test_a_missing_folder_is_created(tmp_path: Path) -> None:
    migrate(address(tmp_path / "new" / "100%"))
    assert [path.name for path in (tmp_path / "new" / "100%").iterdir()] == ["liarspoker.sqlite3"]


def test_upgrading_from_the_first_revision_preserves_clocks(empty_url: str) -> None:
    migrate(empty_url, "0001")
    with connected(empty_url) as connection:
        for table_id, node in (("T", "main"), ("U", "other"), ("V", None)):
            values = {"table_id": table_id, "node": node}
            connection.execute(sa.text("INSERT INTO tables VALUES (:table_id, 1.0, 7, :node, 9e9)"), values)
        for name, value in (("alive/main", b"1234.5"), ("key", b"sealed")):
            connection.execute(sa.text("INSERT INTO marks VALUES (:name, :value)"), {"name": name, "value": value})
    migrate(empty_url)
    with closing(database_at(empty_url).connect()) as raw:
        raw.begin()
        assert raw.execute("SELECT name FROM marks") == [("key",)]
        assert leases.join(raw, leases.Node("instance", "main"), 2000.0, 15.0, 2.0) == ()
        leases.take(raw, "instance", range(SHARD_COUNT))
        assert set(leases.read_map(raw).leases) == {("instance", 8, 1234.5)}, (
            "in case it ends before it extends the deadlines"
        )
        raw.commit()


def test_upgrading_from_the_first_revision_sets_owners_and_last_seen(empty_url: str) -> None:
    migrate(empty_url, "0001")
    made = '{"v":1,"events":[{"e":"Made","owner":"ann"},{"e":"Joined"}]}'
    columns = "table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary"
    before = time.time()
    with connected(empty_url) as connection:
        connection.execute(sa.text("INSERT INTO users (user_id, name, created_at) VALUES ('u', 'Ann', 1.0)"))
        for table, status in (("T", "playing"), ("U", "ended")):
            values = f"'{table}', '{status}', 'slips', '', 'open', 1, 2, 1.0, '{{}}'"
            connection.execute(sa.text(f"INSERT INTO listings ({columns}) VALUES ({values})"))
            event = sa.text("INSERT INTO events (table_id, version, epoch, at, body) VALUES (:table, 1, 1, 1.0, :made)")
            connection.execute(event, {"table": table, "made": made})
    migrate(empty_url)
    with connected(empty_url) as connection:
        owners = sa.text("SELECT table_id, owner FROM listings ORDER BY table_id")
        assert connection.execute(owners).all() == [("T", "ann"), ("U", None)]
        assert connection.execute(sa.text("SELECT seen_at FROM users")).scalar_one() >= before


async def test_upgrading_fills_the_running_column_and_preserves_damage(empty_url: str) -> None:
    migrate(empty_url, "0003")
    insert = sa.text(
        "INSERT INTO listings (table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary) "
        "VALUES (:table_id, 'playing', 'slips', 'Évening', 'open', 1, 2, 1.5, :summary)"
    )
    summaries = {"T": '{"stake": 1, "running": true}', "U": '{"running": false}', "V": "{", "W": '{"running": true}'}
    with connected(empty_url) as connection:
        for table_id, summary in summaries.items():
            connection.execute(insert, {"table_id": table_id, "summary": summary})
    migrate(empty_url, "0004")
    with connected(empty_url) as connection:
        connection.execute(sa.text("UPDATE listings SET title = 'changed on the disk' WHERE table_id = 'W'"))
    migrate(empty_url)
    async with await Storage.open(empty_url, SEALER) as storage:
        for running, expected in ((None, "VUT"), (True, "T"), (False, "VU")):
            found = await storage.listings(running=running)
            assert "".join(listed.table_id for listed in found) == expected


def test_revisions_with_shards_only_add_optional_columns(empty_url: str) -> None:
    """So servers of two versions can run at the same time."""

    def tables(revision: str) -> dict[str, dict[str, bool]]:
        """Return for each column of each table whether it is required in inserts."""
        migrate(empty_url, revision)
        with connected(empty_url) as connection:
            inspector = sa.inspect(connection)
            return {
                table: {
                    column["name"]: not column["nullable"] and column["default"] is None
                    for column in inspector.get_columns(table)
                }
                for table in inspector.get_table_names()
            }

    before = tables("0006")
    for revision in REVISIONS[REVISIONS.index("0006") + 1 :]:
        after = tables(revision)
        for table, columns in before.items():
            assert columns.items() <= after[table].items(), f"{revision}: {table} has lost or changed a column"
            required = {name for name, must in after[table].items() if must}
            assert required <= columns.keys(), f"{revision}: {table} has a new column that a row must name"
        before = after


@pytest.mark.parametrize("empty_url", ["postgres"], indirect=True)
def test_shards_are_not_created_while_an_older_server_runs(empty_url: str) -> None:
    migrate(empty_url, "0005")
    lives = "INSERT INTO nodes VALUES ('instance', 'old', 1.0, extract(epoch FROM clock_timestamp()) + :seconds)"
    with connected(empty_url) as connection:
        connection.execute(sa.text(lives), {"seconds": 15.0})
    with pytest.raises(OlderNode, match=r"old .* runs an older version"):
        migrate(empty_url)
    with connected(empty_url) as connection:
        assert revision_of(connection) == "0005"
        connection.execute(sa.text("UPDATE nodes SET expires = expires - 15"))
    migrate(empty_url)
