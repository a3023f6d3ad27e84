"""Live tables of this node: the registry, the actor that writes each table, clocks, bots and watchers' views."""
