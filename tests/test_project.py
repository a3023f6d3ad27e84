import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import liarspoker

ROOT = Path(__file__).resolve().parent.parent
LOCK_FILES = sorted((ROOT / "requirements").glob("*.txt"))

RESEARCH = ("openspiel", "ray", "research")
"""The optional dependencies in research.in."""

# Written in parts, so that this file doesn't contain what it forbids.
REGISTRY_HOSTS = [
    "pypi" + ".org",
    "pypi" + ".python.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
]


def project_files() -> list[Path]:
    """Return every file that git tracks or doesn't ignore."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so nobody knows which files are the project's")
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]


def lines_matching(pattern: str) -> list[str]:
    """Return `path:line: text` for every line of the project's text files that matches `pattern`."""
    found = []
    for path in project_files():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode().splitlines(), start=1):
            if re.search(pattern, line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    return found


def names_of(requirements: list[str]) -> set[str]:
    """Return the package names in lines such as `matplotlib>=3.8`, ignoring options and comments."""
    return {match[0].lower() for line in requirements if (match := re.match(r"[A-Za-z0-9][\w.-]*", line))}


def names_in(file: str) -> set[str]:
    """Return the package names in a file of `requirements/`."""
    return names_of((ROOT / "requirements" / file).read_text(encoding="utf-8").splitlines())


def test_the_version_is_that_of_the_installed_package() -> None:
    assert liarspoker.__version__ == version("liarspoker")


def test_no_file_names_a_package_registry() -> None:
    assert lines_matching("|".join(map(re.escape, REGISTRY_HOSTS))) == []


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    homes = ["/" + "home", "/" + "Users"]
    folders = [re.escape(f"{folder}/") for folder in {Path.home(), ROOT.parent} if len(folder.parts) > 1]
    people = [re.escape(home) + r"/\w" for home in homes]
    # A path is absolute if no part of a path precedes it.
    assert lines_matching(r"(?<![\w.~*$)}/-])(" + "|".join(folders + people) + ")") == []


@pytest.mark.parametrize("path", LOCK_FILES, ids=lambda path: path.name)
def test_a_lock_file_pins_and_hashes_everything_without_an_index(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    requirements = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    assert requirements
    for requirement in requirements:
        assert re.match(r"[a-z0-9][\w.-]*==\S+ .*--hash=sha256:[0-9a-f]{64}", requirement), requirement[:100]
        assert "://" not in requirement


def test_the_packages_dependencies_are_locked() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        pyproject = tomllib.load(file)
    project = pyproject["project"]
    extras = project["optional-dependencies"]
    asked = pyproject["build-system"]["requires"] + project["dependencies"]
    asked += [
        line for name in extras.keys() - {"serve", "engine", "traces", "train", *RESEARCH} for line in extras[name]
    ]
    assert names_of(asked) == names_in("play.in")
    assert names_of(extras["serve"]) == names_in("serve.in")
    assert names_of(extras["engine"]) == names_in("engine.in")
    assert names_of(extras["traces"]) == names_in("traces.in")
    assert names_of(extras["train"]) - {"liarspoker"} == names_in("train.in")
    assert names_of([line for name in RESEARCH for line in extras[name]]) == names_in("research.in")


def test_the_architecture_lists_every_layer() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = next(one for one in contracts if one["type"] == "layers" and one["containers"] == ["liarspoker"])["layers"]
    helpers = {"files", "cache", "extras", "processes", "language"}
    text = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    table = {name for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert {name for row in layers for name in re.findall(r"\w+", row)} - helpers | {"games"} == table
