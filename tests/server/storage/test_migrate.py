from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from liarspoker.server.storage.errors import BadPlace, NewerDatabase
from liarspoker.server.storage.migrate import connected, migrate, revision_of, scripts
from liarspoker.server.storage.place import address
from liarspoker.server.storage.schema import METADATA


def test_migrating_makes_just_the_tables_that_the_schema_describes(url: str) -> None:
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
        assert revision_of(connection) == scripts().get_current_head()


def test_there_is_one_newest_revision_and_its_file_is_named_after_it() -> None:
    assert len(scripts().get_heads()) == 1
    for script in scripts().walk_revisions():
        assert Path(script.path).name == f"step_{script.revision}.py"


def test_migrating_again_changes_nothing(url: str) -> None:
    with connected(url) as connection:
        connection.execute(sa.text("INSERT INTO users (user_id, name, created_at) VALUES ('u', 'Ann', 1.0)"))
    migrate(url)
    with connected(url) as connection:
        assert connection.execute(sa.text("SELECT name FROM users")).scalars().all() == ["Ann"]


def test_a_database_of_a_newer_version_is_refused_and_left_alone(url: str) -> None:
    with connected(url) as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabase, match=r"revision 9999.*run the newer version"):
        migrate(url)
    with connected(url) as connection:
        assert revision_of(connection) == "9999"


def test_a_migration_that_fails_leaves_nothing_behind(empty_url: str) -> None:
    with connected(empty_url) as connection:
        connection.execute(sa.text("CREATE TABLE tokens (token_hash TEXT)"))
    with pytest.raises(BadPlace, match="tokens"):
        migrate(empty_url)
    with connected(empty_url) as connection:
        assert sa.inspect(connection).get_table_names() == ["tokens"]


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    migrate(address(tmp_path / "new" / "100%"))
    assert [path.name for path in (tmp_path / "new" / "100%").iterdir()] == ["liarspoker.sqlite3"]
