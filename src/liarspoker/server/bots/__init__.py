"""The bots of live tables, which run in separate processes.

`table_bots.TableBots` is the entry point, with a process of its own for bots that think. `workers.BotWorkers` asks a
bot for an action, with a deadline. `worker` is the program of each process. A bot that crashes or takes too long ends
its own worker at most; tables and other bots aren't affected.
"""
