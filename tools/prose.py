"""Check the project's prose against its glossary: `python -m tools.prose`, which `make lint` runs.

Prose is what people read: Markdown, docstrings, comments, the text of templates, and strings of several words in the
code. Code blocks, inline code and doctests are left out. `tools/glossary.toml` lists the words that the project doesn't
use, with their replacements; proselint checks the style of Markdown files.
`--sample N` prints N random sentences instead, for an editor to read.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = Path(__file__).with_name("glossary.toml")
FEWEST_WORDS = 4
"""A string constant with fewer words is taken for a key or a format, not for a sentence."""

CODE = re.compile(
    r"```.*?```|:::.*?\n|``[^`]*``|`[^`\n]*`|<[^>]*>|\{[{%#].*?[}%#]\}|https?://\S+|\$[^$\n]+\$", re.DOTALL
)
DOCTEST = re.compile(r"^\s*(>>>|\.\.\.) .*\n(?:(?!\s*$|\s*>>>).*\n)*", re.MULTILINE)


class Passage(NamedTuple):
    """A piece of prose.

    Attributes:
        path: its file, relative to the project.
        line: where it begins, from 1.
        text: the words, with code replaced by a backquote pair that keeps the line count.
    """

    path: str
    line: int
    text: str


def passages(root: Path = ROOT) -> Iterator[Passage]:
    """Yield all prose of the project's tracked files."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        path = root / name
        if not path.exists():  # deleted, but not yet committed
            continue
        if path.suffix == ".py":
            found = of_python(path.read_text(encoding="utf-8"))
        elif path.suffix in (".md", ".html", ".ts"):
            found = of_text(path.read_text(encoding="utf-8"), path.suffix)
        else:
            continue
        for line, text in found:
            yield Passage(name, line, without_code(text))


def without_code(text: str) -> str:
    r"""Return the text with each piece of code replaced by ``, so that line numbers stay.

    >>> without_code("Call `apply`, then\\nread.")
    'Call ``, then\\nread.'
    """
    for pattern in (DOCTEST, CODE):
        text = pattern.sub(lambda match: "``" + "\n" * match[0].count("\n"), text)
    return text


def of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings, comments and sentences of a module, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "``" for part in node.values]
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(re.findall(r"[A-Za-z]{2,} ", text)) + 1 >= FEWEST_WORDS:
            yield node.lineno, text
    begun, comment = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(("#!", "# noqa", "# type:", "# fmt")):
            comment += ("\n" if comment else "") + token.string.lstrip("# ")
            begun = begun or token.start[0]
        elif token.type not in (tokenize.NL, tokenize.COMMENT) and comment:
            yield begun, comment
            begun, comment = 0, ""


def of_text(text: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of Markdown, the text of a template, or the comments of TypeScript, each with its line."""
    if suffix == ".ts":
        for match in re.finditer(r"/\*\*?(.*?)\*/|(?<![:\"'])//(.*)", text, re.DOTALL | re.MULTILINE):
            words = (match[1] or match[2].partition("\n")[0]).replace("*", " ")
            yield 1 + text.count("\n", 0, match.start()), words
        return
    yield 1, text


def sentences(passage: Passage) -> list[str]:
    """Return the sentences of a passage that have at least five words."""
    found = []
    for paragraph in re.split(r"\n\s*\n|\n\s*[-*|#] ?|^\s*[-*|#] |\n\s*\w+:(?= )", passage.text):
        split = re.split(r"(?<=[.!?:]) +(?=[A-Z`])", " ".join(paragraph.split()))
        found += [sentence for sentence in split if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 5]
    return found


def faults(passage: Passage, glossary: list[tuple[re.Pattern[str], str]]) -> Iterator[str]:
    """Yield a line for each word of a passage that the glossary replaces."""
    for pattern, instead in glossary:
        for match in pattern.finditer(re.sub(r"\s", " ", passage.text)):
            line = passage.line + passage.text.count("\n", 0, match.start())
            yield f"{passage.path}:{line}: {match[0]!r}: write {instead}"


def read_glossary() -> tuple[list[tuple[re.Pattern[str], str]], set[str]]:
    """Return the patterns of words to avoid with their replacements, and the files that may use them."""
    with GLOSSARY.open("rb") as file:
        document = tomllib.load(file)
    words = [(re.compile(rf"\b(?:{word})\b", re.IGNORECASE), instead) for word, instead in document["instead"].items()]
    return words, set(document["exempt"])


def proselint_faults(found: list[Passage]) -> Iterator[str]:
    """Yield a line for each fault that proselint finds."""
    from proselint.checks import __register__
    from proselint.config import DEFAULT, Config
    from proselint.registry import CheckRegistry
    from proselint.tools import LintFile

    with GLOSSARY.open("rb") as file:
        off = tomllib.load(file)["proselint_off"]
    registry = CheckRegistry()
    registry.register_many(__register__)
    # The first key that matches a check decides, so narrower keys come first.
    config = Config(
        max_errors=DEFAULT["max_errors"],
        checks={**dict.fromkeys(off, False), **{name: on for name, on in DEFAULT["checks"].items() if name not in off}},
    )
    for passage in found:
        for fault in LintFile(passage.path, passage.text).lint(config):
            line = passage.line + passage.text.count("\n", 0, max(fault.check_result.span[0] - 1, 0))
            yield f"{passage.path}:{line}: {fault.check_result.check_path}: {fault.check_result.message}"


def main() -> int:
    """Print each fault with its location; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.prose", description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N", help="print N random sentences and check nothing")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--only", default="", metavar="PREFIX", help="files whose path begins so")
    args = parser.parse_args()
    found = [passage for passage in passages() if passage.path.startswith(args.only)]
    if args.sample:
        everything = [(passage, sentence) for passage in found for sentence in sentences(passage)]
        for passage, sentence in random.Random(args.seed).sample(everything, min(args.sample, len(everything))):
            print(f"{passage.path}:{passage.line}: {sentence}")
        return 0
    glossary, exempt = read_glossary()
    lines = [line for passage in found if passage.path not in exempt for line in faults(passage, glossary)]
    lines += proselint_faults([passage for passage in found if passage.path.endswith(".md")])
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
