"""Where Alembic runs the migrations; `storage.migrate` hands the connection over."""

from alembic import context

from liarspoker.server.storage.schema import METADATA


def run() -> None:
    """Run the migrations that Alembic was asked for, on the connection that it was given."""
    context.configure(
        connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True
    )
    with context.begin_transaction():
        context.run_migrations()


# Whoever else imports this file, in search of doctests say, migrates nothing.
if hasattr(context, "config"):
    run()
