"""Run every code block and command of the documents, and compare the output with what the documents show.

Each document is run from top to bottom, in a folder of its own. Its fenced blocks are:

- `console`: a line that begins with `$ ` is a command; the lines after it are its output. If no output is shown, the
  command only has to succeed; `...` matches any text. For `liarspoker play`, the text after each prompt is typed; a
  `console` block that does not begin with `$ ` continues the previous one.
  `liarspoker serve` does not end, so its settings are checked instead.
- `sh`: every line is a command. Of the shell's syntax, `NAME=VALUE` before a command, `<` and `>` are supported.
- `toml`, `json`, `python`: written to a file if the paragraph above names one with a fitting suffix, as in: a file
  `game.toml`. Other Python is executed. The last unnamed JSON block is the input of `< FILE` if no block names FILE.
- The cells of a notebook are executed in one namespace.

A block that cannot run has a comment before it that says why: `<!-- not run: it needs root -->`.
"""

from __future__ import annotations

import io
import json
import re
import runpy
import shlex
import sys
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
DOCS = ROOT / "docs"
GENERATED = {DOCS / "rules" / f"{preset.id}.md" for preset in catalogue.games()} | {*DOCS.glob("reference/api/*")}
DOCUMENTS = sorted({ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("**/*.md")} - GENERATED)
NOTEBOOKS = sorted(DOCS.glob("notebooks/*.ipynb"))
SUFFIXES = {"toml": (".toml",), "json": (".json", ".jsonl"), "python": (".py",)}
SHELLS = ("sh", "console")
UNSUPPORTED = {"|", "||", "&&", ";", "&", ">>", "<<", "$", "(", ")", "`"}
MOST_ROUNDS, FEWER = 20_000, 500
ERROR = re.compile(r'liarspoker: |\{"error": |.*^Error in ', re.DOTALL | re.MULTILINE)

PROMPT = re.compile(r"^(?:[A-Z0-9][^>]*)?> ?(.*)$")
ROUNDS = re.compile(r"(--rounds[ =]|\b(?:hands|matches)=|\), )([\d_]+)")
NOT_RUN = re.compile(r"<!-- not run: (\S.*?) -->", re.DOTALL)

SERVER_GUIDE = "run-a-server.md"
"""Its `bash` blocks are executed by `tests/deploy/test_how_to.py`."""


@dataclass(slots=True)
class Block:
    """A fenced block: its kind, its lines, the paragraph above it, and its place in the document."""

    kind: str
    lines: list[str]
    above: str
    place: str

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def file_name(self) -> str | None:
        """The file named in the paragraph above, if its suffix fits this block."""
        names = re.findall(r"`([\w-]+\.\w+)`", self.above)
        return next((name for name in names if name.endswith(SUFFIXES.get(self.kind, "?"))), None)

    @property
    def is_directive(self) -> bool:
        """Whether Sphinx processes the block instead of showing it as code."""
        return self.kind.startswith("{") and not self.kind.startswith("{code-block}")

    @property
    def not_run(self) -> str | None:
        """The reason why the block is not run, if it gives one."""
        found = NOT_RUN.search(self.above)
        return found[1] if found else None


@dataclass(slots=True)
class Command:
    """A command line, the output that the document shows, and its place in the document."""

    line: str
    place: str
    shown: list[str] = field(default_factory=list)
    words: list[str] = field(init=False)
    settings: dict[str, str] = field(init=False, default_factory=dict)
    source: str | None = field(init=False)
    target: str | None = field(init=False)

    def __post_init__(self) -> None:
        signs = set(shlex.shlex(self.line, posix=True, punctuation_chars=True))
        assert not signs & UNSUPPORTED, f"{self.place}: unsupported shell syntax: {self.line}"
        self.words = shlex.split(self.line, comments=True)
        self.source, self.target = self._redirection("<"), self._redirection(">")
        while self.words and re.match(r"[A-Za-z_]+=", self.words[0]):
            name, _, value = self.words.pop(0).partition("=")
            self.settings[name] = value

    def _redirection(self, sign: str) -> str | None:
        """Remove a redirection from the command and return its file."""
        if sign not in self.words:
            return None
        index = self.words.index(sign)
        _, name = self.words.pop(index), self.words.pop(index)
        return name

    @property
    def scaled_down(self) -> bool:
        return any(int(figure) > MOST_ROUNDS for _, figure in ROUNDS.findall(" ".join(self.words)))

    @property
    def typed(self) -> str:
        """What the player types: the text after each prompt."""
        return "".join(f"{found[1]}\n" for line in self.shown if (found := PROMPT.match(line)))


Step = Block | Command


def blocks_of(document: Path) -> Iterator[Block]:
    """The fenced blocks of a document, in order. A colon fence may contain some."""
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
    assert begun is None, f"{document.name}:{begun}: a block without an end"


def paragraph_above(lines: list[str], end: int) -> str:
    """The paragraph above line `end`, with a comment that follows it."""
    *_, above, last = ["", *re.split(r"\n\s*\n", "\n".join(lines[:end]).strip())]
    return f"{above}\n\n{last}" if last.startswith("<!--") else last


def steps_of(document: Path) -> list[Step]:
    """The blocks of a document that are run; shell blocks are split into commands."""
    steps: list[Step] = []
    for block in blocks_of(document):
        if block.not_run:
            continue
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
    """The same text with fewer rounds, if there are too many for a test."""
    return ROUNDS.sub(
        lambda found: found[1] + (found[2] if int(found[2].strip("_") or 0) <= MOST_ROUNDS else str(FEWER)), text
    )


class Ended(NamedTuple):
    """The exit code and output of a command."""

    code: int
    stdout: str
    stderr: str


@contextmanager
def prompt(folder: Path, typed: str = "", **settings: str) -> Iterator[Sequence[io.TextIOBase]]:
    """Provide a terminal of eighty columns in `folder`; yields the streams that are written to."""
    streams = [io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8") for given in (typed, "", "")]
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(action="ignore"):
        patch.chdir(folder)
        patch.syspath_prepend(folder)
        for name, value in {"COLUMNS": "80", "MPLBACKEND": "agg", **settings}.items():
            patch.setenv(name, value)
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            patch.setattr(sys, name, stream)
        yield streams[1:]


def run_here(words: list[str], folder: Path, typed: str, **settings: str) -> Ended:
    """Run a command in this process, which is much faster than starting one."""
    with prompt(folder, typed, **settings) as streams:
        try:
            code = main(words)
        except SystemExit as ended:
            code = int(ended.code or 0)
        for stream in streams:
            stream.seek(0)
        return Ended(code, *(stream.read() for stream in streams))


def run_script(script: str, words: list[str], folder: Path) -> Ended:
    """Run a script of the repository; arguments that name a file of the repository mean that file."""
    arguments = [str(ROOT / word) if (ROOT / word).is_file() else word for word in words]
    with prompt(folder) as streams, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [script, *arguments])
        code = 0
        try:
            runpy.run_path(str(ROOT / script), run_name="__main__")
        except SystemExit as ended:
            code = int(ended.code or 0)
        for stream in streams:
            stream.seek(0)
        return Ended(code, *(stream.read() for stream in streams))


def follow(command: Command, folder: Path, unnamed: str) -> None:
    """Run a command, or check that it could run."""
    match command.words:
        case ["make", *targets]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            names = [target for target in targets if "=" not in target]
            assert names, f"{command.place}: make what?"
            for name in names:
                assert re.search(rf"^{re.escape(name)}:", makefile, re.MULTILINE), f"{command.place}: make {name}"
        case ["python", script, *words] if (ROOT / script).is_file():
            compare(command, run_script(script, words, folder))
        case ["liarspoker", "serve", *words] if "--show-config" not in words and "--list-limits" not in words:
            checked = run_here(["serve", *words, "--show-config"], folder, "", **command.settings)
            compare(Command(command.line, command.place, command.shown if checked.code else []), checked)
        case ["liarspoker", *words]:
            source = folder / command.source if command.source else None
            typed = command.typed if source is None else source.read_text() if source.exists() else unnamed
            ended = run_here(shlex.split(fewer(shlex.join(words))), folder, typed, **command.settings)
            if command.target is not None:
                (folder / command.target).write_text(ended.stdout, encoding="utf-8")
            compare(command, ended)
        case _:
            raise AssertionError(f"{command.place}: not a command that this test knows: {command.line}")


def compare(command: Command, ended: Ended) -> None:
    """Compare the output that the document shows with the real one."""
    shown = "\n".join(line.rstrip() for line in command.shown).rstrip("\n")
    fails = bool(ERROR.match(shown))
    printed = "\n".join(line.rstrip() for line in (ended.stdout + fails * ended.stderr).splitlines()).rstrip("\n")
    assert ended.code == int(fails), f"{command.place}: {command.line}\n{ended.stdout}\n{ended.stderr}"
    if not shown or command.scaled_down:
        return
    if "..." in shown:
        pattern = ".*".join(map(re.escape, shown.split("...")))
        assert re.fullmatch(pattern, printed, re.DOTALL), f"{command.place}: it prints\n{printed}"
    else:
        assert printed == shown, f"{command.place}: it prints\n{printed}"


def execute(program: str, place: str, folder: Path, names: dict[str, object]) -> None:
    """Execute Python in `folder`, with fewer rounds."""
    with prompt(folder):
        exec(compile(fewer(program), place, "exec"), names)


def is_slow(document: Path) -> bool:
    return bool(
        re.search(
            r"--plot|simulate|liarspoker slips|^```python|\$ python", document.read_text(encoding="utf-8"), re.MULTILINE
        )
    )


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(path, id=str(path.relative_to(ROOT)), marks=[pytest.mark.slow] if is_slow(path) else [])
        for path in DOCUMENTS
    ],
)
def test_the_commands_and_programs_of_a_document_do_what_it_shows(document: Path, tmp_path: Path) -> None:
    unnamed = ""
    for step in steps_of(document):
        if isinstance(step, Command):
            follow(step, tmp_path, unnamed)
        elif step.file_name is not None:
            (tmp_path / step.file_name).write_text(step.text, encoding="utf-8")
        elif step.kind == "python":
            execute(step.text, step.place, tmp_path, {"__name__": "__main__"})
        elif step.kind == "json":
            unnamed = step.text


@pytest.mark.slow
@pytest.mark.timeout(20)
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_within_twenty_seconds(notebook: Path, tmp_path: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(json.loads(notebook.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            assert not cell["outputs"], f"cell {number}: notebooks are stored without output"
            execute("".join(cell["source"]), f"{notebook.name}, cell {number}", tmp_path, names)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_of_a_document_runs_or_says_why_not(document: Path) -> None:
    runs = (*SHELLS, *SUFFIXES, *(["{code-block} bash"] if document.name == SERVER_GUIDE else []))
    blocks = [block for block in blocks_of(document) if not block.is_directive and not block.not_run]
    assert [block.place for block in blocks if block.kind not in runs] == []


def test_no_document_installs_from_an_index() -> None:
    command = re.compile(r"pip install (--\S+ )*'?liarspoker\b")
    lines = [(path.name, line) for path in DOCUMENTS for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(name, line) for name, line in lines if command.search(line)] == []


def test_no_placeholder_is_left_in_a_document() -> None:
    lines = [(path.name, line) for path in DOCUMENTS for line in path.read_text(encoding="utf-8").splitlines()]
    assert [one for one in lines if re.fullmatch(r"\s*[A-Z]{3,}\s*|.*\b(TODO|FIXME|XXX|TBD)\b.*", one[1])] == []


def test_the_documents_contain_commands() -> None:
    commands = [step for document in DOCUMENTS for step in steps_of(document) if isinstance(step, Command)]
    assert {"liarspoker", "make", "python"} <= {command.words[0] for command in commands}
    assert any(command.typed for command in commands)


# ------------------------------------------------------------------------------------- checks of these helpers


@pytest.mark.parametrize(
    "line", ["curl x", "make", "make nonsense", "pip install nonsense", "liarspoker nonsense", "./liarspoker"]
)
def test_an_unknown_or_failing_command_fails(line: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        follow(Command(line, "here"), tmp_path, "")


def test_the_output_shown_must_be_the_output_printed(tmp_path: Path) -> None:
    line = "liarspoker games nonsense"
    ended = run_here(["games", "nonsense"], tmp_path, "")
    error = ended.stderr.rstrip("\n")
    assert error.startswith("liarspoker: ")
    follow(Command(line, "here", [error]), tmp_path, "")
    follow(Command(line, "here", [f"{error[:16]}...slips..."]), tmp_path, "")
    for wrong in ("liarspoker: there are no games", "liarspoker: there ... no games", "there is no game"):
        with pytest.raises(AssertionError):
            follow(Command(line, "here", [wrong]), tmp_path, "")


def test_a_comment_says_why_a_block_is_not_run(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("Type:\n\n<!-- not run: it needs root -->\n```sh\nreboot\n```\n\nOr:\n\n```sh\nhalt\n```\n")
    first, second = blocks_of(document)
    assert (first.not_run, second.not_run) == ("it needs root", None)
    assert [step.line for step in steps_of(document) if isinstance(step, Command)] == ["halt"]
