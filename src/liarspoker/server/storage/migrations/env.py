"""Alembic's entry point for migrations; `storage.migrate` passes the connection."""

from alembic import context

from liarspoker.server.storage.schema import METADATA


def run() -> None:
    """Run the requested migrations on the given connection."""
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


# Imported by anything else, such as a doctest runner, this file does nothing.
if hasattr(context, "config"):
    run()
