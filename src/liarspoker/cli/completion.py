"""`liarspoker completion`: the script by which a shell completes commands, options, games and bots."""

from __future__ import annotations

import argparse

DESCRIPTION = """Print a script for your shell. With it, the Tab key completes commands, options,
games, bots and files. The script calls liarspoker, so it needn't be renewed
when liarspoker is."""

EXAMPLES = """examples:
  liarspoker completion bash >> ~/.bashrc
  liarspoker completion zsh >> ~/.zshrc
  liarspoker completion fish > ~/.config/fish/completions/liarspoker.fish"""

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `completion`."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["liarspoker"], shell=args.shell))
    return 0


def answer_shell(parser: argparse.ArgumentParser) -> None:
    """Write the completions that the script asks for in the environment, and end the process."""
    import argcomplete

    argcomplete.autocomplete(parser)
