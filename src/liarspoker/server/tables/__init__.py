"""Live tables of this node: the registry, one writer for each table, clocks, bots, and the views that watchers get."""
