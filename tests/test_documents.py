"""What the documents tell people to type is typed here, and what they show is what comes out.

Each document is one evening at one prompt, in a folder of its own. Its fenced blocks are read so:

- `console`: a line after `$ ` is a command, what follows is what it prints. Where nothing is shown, it need only
  succeed; `...` stands for anything. Of `liarspoker play`, what stands after a prompt is typed, and a `console` block
  that does not begin with `$ ` goes on where the last one stopped.
- `sh`: every line is a command; of a shell, `NAME=VALUE` before it and `<` and `>` after it are understood.
- `toml`, `json`, `python`: a file, if the paragraph above names one with such an ending, as in: a file `game.toml`.
  Other Python is run. Of the rest, the last is what `< FILE` reads where nobody has named the file.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
import tomllib
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from liarspoker.cli import main
from liarspoker.core import catalogue

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")])
ENDINGS = {"toml": (".toml",), "json": (".json", ".jsonl"), "python": (".py",)}
SHELLS = ("sh", "shell", "bash", "console")
BEYOND = {"|", "||", "&&", ";", "&", ">>", "<<", "$", "(", ")", "`"}
MOST_ROUNDS, FEWER = 20_000, 500
FAULT = re.compile(r'liarspoker: |\{"error": |.*^Fault in ', re.DOTALL | re.MULTILINE)

PROMPT = re.compile(r"^(?:[A-Z0-9][^>]*)?> ?(.*)$")
ROUNDS = re.compile(r"(--rounds[ =]|\bhands=)([\d_]+)")


@dataclass(slots=True)
class Block:
    """A fenced block: its kind, its lines, the paragraph above it, and where it stands."""

    kind: str
    lines: list[str]
    above: str
    place: str

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def file_name(self) -> str | None:
        """The file that the paragraph above names, if this can be what is in it."""
        names = re.findall(r"`([\w-]+\.\w+)`", self.above)
        return next((name for name in names if name.endswith(ENDINGS.get(self.kind, "?"))), None)


@dataclass(slots=True)
class Command:
    """A command line, what the document shows of its output, and where it stands."""

    line: str
    place: str
    shown: list[str] = field(default_factory=list)
    words: list[str] = field(init=False)
    settings: dict[str, str] = field(init=False, default_factory=dict)
    source: str | None = field(init=False)
    target: str | None = field(init=False)

    def __post_init__(self) -> None:
        signs = set(shlex.shlex(self.line, posix=True, punctuation_chars=True))
        assert not signs & BEYOND, f"{self.place}: more shell than is read here: {self.line}"
        self.words = shlex.split(self.line, comments=True)
        self.source, self.target = self._cut_out("<"), self._cut_out(">")
        while self.words and re.match(r"[A-Za-z_]+=", self.words[0]):
            name, _, value = self.words.pop(0).partition("=")
            self.settings[name] = value

    def _cut_out(self, sign: str) -> str | None:
        """The file that stands after a sign of redirection, and both are gone."""
        if sign not in self.words:
            return None
        place = self.words.index(sign)
        _, name = self.words.pop(place), self.words.pop(place)
        return name

    @property
    def scaled_down(self) -> bool:
        return any(int(figure) > MOST_ROUNDS for _, figure in ROUNDS.findall(" ".join(self.words)))

    @property
    def typed(self) -> str:
        """What is typed into a game: all that stands after its prompts."""
        return "".join(f"{found[1]}\n" for line in self.shown if (found := PROMPT.match(line)))


Step = Block | Command


def blocks_of(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order."""
    lines = document.read_text(encoding="utf-8").splitlines()
    begun: tuple[int, str, str] | None = None
    for number, line in enumerate(lines):
        fence = re.match(r"(`{3,})([^`]*)$", line)
        if begun is None and fence:
            begun = number, fence[1], fence[2].strip()
        elif begun is not None and line.rstrip() == begun[1]:
            start, _, kind = begun
            yield Block(kind, lines[start + 1 : number], paragraph_above(lines, start), f"{document.name}:{start + 1}")
            begun = None
    assert begun is None, f"{document.name}:{begun}: a block that is never closed"


def paragraph_above(lines: list[str], end: int) -> str:
    """The last lines without a blank one among them above line `end`."""
    *_, last = re.split(r"\n\s*\n", "\n".join(lines[:end]).strip())
    return last


def steps_of(document: Path) -> list[Step]:
    """The blocks of a document, those of a shell taken apart into commands."""
    steps: list[Step] = []
    for block in blocks_of(document):
        if block.kind not in SHELLS:
            steps.append(block)
            continue
        for line in block.lines:
            if block.kind != "console":
                if line.partition("#")[0].strip():
                    steps.append(Command(line, block.place))
            elif line.startswith("$ "):
                steps.append(Command(line[2:], block.place))
            else:
                last = next((step for step in reversed(steps) if isinstance(step, Command)), None)
                assert last is not None, f"{block.place}: output without a command"
                last.shown.append(line)
    return steps


def fewer(text: str) -> str:
    """The same with fewer rounds, where there are more than a test has time for."""
    return ROUNDS.sub(lambda found: found[1] + (found[2] if int(found[2]) <= MOST_ROUNDS else str(FEWER)), text)


class Ended(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    stdout: str
    stderr: str


@contextmanager
def prompt(folder: Path, typed: str = "", **settings: str) -> Iterator[Sequence[io.TextIOBase]]:
    """As at a prompt in `folder`, in a window of eighty columns, where somebody types; all that is then said."""
    streams = [io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8") for given in (typed, "", "")]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(action="ignore"):
        patch.chdir(folder)
        patch.syspath_prepend(folder)
        for name, value in {"COLUMNS": "80", **settings}.items():
            patch.setenv(name, value)
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        yield streams[1:]


def run_here(words: list[str], folder: Path, typed: str, **settings: str) -> Ended:
    """Run a command, which takes far longer in a process of its own."""
    with prompt(folder, typed, **settings) as said:
        try:
            code = main(words)
        except SystemExit as ended:
            code = int(ended.code or 0)
        for stream in said:
            stream.seek(0)
        return Ended(code, *(stream.read() for stream in said))


def follow(command: Command, folder: Path, unnamed: str) -> None:
    """Do what a command line says, or make sure that it could be done."""
    match command.words:
        case ["make", *targets]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            names = [target for target in targets if "=" not in target]
            assert names, f"{command.place}: make what?"
            for name in names:
                assert re.search(rf"^{re.escape(name)}:", makefile, re.MULTILINE), f"{command.place}: make {name}"
        case ["pip", "install", package]:
            with (ROOT / "pyproject.toml").open("rb") as file:
                extras = tomllib.load(file)["project"]["optional-dependencies"]
            assert package in {"liarspoker", *(f"liarspoker[{extra}]" for extra in extras)}, command.place
        case ["liarspoker", *words]:
            source = folder / command.source if command.source else None
            typed = command.typed if source is None else source.read_text() if source.exists() else unnamed
            ended = run_here(shlex.split(fewer(shlex.join(words))), folder, typed, **command.settings)
            if command.target is not None:
                (folder / command.target).write_text(ended.stdout, encoding="utf-8")
            compare(command, ended)
        case _:
            raise AssertionError(f"{command.place}: cannot be understood: {command.line}")


def compare(command: Command, ended: Ended) -> None:
    """Hold what the document shows against what came out."""
    shown = "\n".join(line.rstrip() for line in command.shown).rstrip("\n")
    refused = bool(FAULT.match(shown))
    printed = "\n".join(line.rstrip() for line in (ended.stdout + refused * ended.stderr).splitlines()).rstrip("\n")
    assert ended.code == int(refused), f"{command.place}: {command.line}\n{ended.stdout}\n{ended.stderr}"
    if not shown or command.scaled_down:
        return
    if "..." in shown:
        pattern = ".*".join(map(re.escape, shown.split("...")))
        assert re.fullmatch(pattern, printed, re.DOTALL), f"{command.place}: it prints\n{printed}"
    else:
        assert printed == shown, f"{command.place}: it prints\n{printed}"


def is_slow(document: Path) -> bool:
    return bool(
        re.search(r"--plot|simulate|liarspoker slips|^```python", document.read_text(encoding="utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(path, id=str(path.relative_to(ROOT)), marks=[pytest.mark.slow] if is_slow(path) else [])
        for path in DOCUMENTS
    ],
)
def test_what_a_document_tells_to_type_does_what_it_shows(document: Path, tmp_path: Path) -> None:
    unnamed = ""
    for step in steps_of(document):
        if isinstance(step, Command):
            follow(step, tmp_path, unnamed)
        elif step.file_name is not None:
            (tmp_path / step.file_name).write_text(step.text, encoding="utf-8")
        elif step.kind == "python":
            with prompt(tmp_path):
                exec(compile(fewer(step.text), step.place, "exec"), {"__name__": "__main__"})
        elif step.kind == "json":
            unnamed = step.text


def test_no_placeholder_is_left_in_a_document() -> None:
    lines = [(path.name, line) for path in DOCUMENTS for line in path.read_text(encoding="utf-8").splitlines()]
    assert [one for one in lines if re.fullmatch(r"\s*[A-Z]{3,}\s*|.*\b(TODO|FIXME|XXX|TBD)\b.*", one[1])] == []


def test_there_is_something_to_type() -> None:
    commands = [step for document in DOCUMENTS for step in steps_of(document) if isinstance(step, Command)]
    assert {"liarspoker", "make", "pip"} <= {command.words[0] for command in commands}
    assert any(command.typed for command in commands)


# ------------------------------------------------------------------------------------- this test itself


@pytest.mark.parametrize(
    "line", ["curl x", "make", "make nonsense", "pip install nonsense", "liarspoker nonsense", "./liarspoker"]
)
def test_what_cannot_be_understood_or_done_fails(line: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        follow(Command(line, "here"), tmp_path, "")


def test_what_is_shown_must_be_what_is_printed(tmp_path: Path) -> None:
    line = "liarspoker games nonsense"
    known = ", ".join(row.id for row in catalogue.games())
    error = f'liarspoker: there is no game "nonsense"; the catalogue has {known}'
    follow(Command(line, "here", [error]), tmp_path, "")
    follow(Command(line, "here", ["liarspoker: there is no game ..., slips, ..."]), tmp_path, "")
    for wrong in ("liarspoker: there are no games", "liarspoker: there ... no games", "there is no game"):
        with pytest.raises(AssertionError):
            follow(Command(line, "here", [wrong]), tmp_path, "")
