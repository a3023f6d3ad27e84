"""The server of live tables: storage, accounts, the HTTP API and WebSockets. Requires the extra `serve`."""
