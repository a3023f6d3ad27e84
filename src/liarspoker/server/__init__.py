"""The server of live tables: what it stores, who plays, and how they reach it. It needs the extra `serve`."""
