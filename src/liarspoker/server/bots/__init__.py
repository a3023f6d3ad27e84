"""The bots of live tables, which run in separate processes.

`workers.BotWorkers` is the entry point: it asks a bot for an action, with a deadline. `worker` is the program of each
process. A bot that crashes or takes too long ends its own worker at most; tables and other bots aren't affected.
"""
