"""Files are written atomically, and other files aren't lost."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from liarspoker.files import CannotWrite, FileExists, check_writable, new_file


def written(path: Path, content: bytes, overwrite: bool = False, mode: int = 0o666) -> None:
    with new_file(path, overwrite, mode) as file:
        file.write(content)


def names(folder: Path) -> list[str]:
    return sorted(child.name for child in folder.iterdir())


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "new"
    with new_file(path) as file:
        file.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["new"]


def test_an_existing_file_is_replaced_only_with_permission(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"mine")
    with pytest.raises(FileExists, match="old already exists"):
        check_writable(path)
    with pytest.raises(FileExists, match="old already exists"):
        written(path, b"theirs")
    assert path.read_bytes() == b"mine"
    check_writable(path, overwrite=True)
    written(path, b"theirs", overwrite=True)
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["old"]


def test_a_file_created_in_the_meantime_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(FileExists, match="file already exists"), new_file(path):
        path.write_bytes(b"mine")
    assert path.read_bytes() == b"mine"
    assert names(tmp_path) == ["file"]


def test_a_file_system_without_hard_links_gives_the_same_guarantees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", unsupported)
    written(tmp_path / "new", b"one")
    assert (tmp_path / "new").read_bytes() == b"one"
    with pytest.raises(FileExists):
        written(tmp_path / "new", b"two")
    assert (tmp_path / "new").read_bytes() == b"one"
    assert names(tmp_path) == ["new"]


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("mine")])
def test_a_failed_write_changes_nothing(error: BaseException, overwrite: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if overwrite:
        path.write_bytes(b"mine")
    with pytest.raises(type(error)), new_file(path, overwrite):
        raise error
    assert names(tmp_path) == (["file"] if overwrite else [])
    assert not overwrite or path.read_bytes() == b"mine"


def test_a_full_disk_is_reported_with_the_file_name(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="file: No space left"), new_file(tmp_path / "file"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert names(tmp_path) == []


def test_a_folder_without_room_for_a_file_is_reported_with_the_systems_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match="nowhere/new: No such file or directory"):
        check_writable(tmp_path / "nowhere" / "new")
    with pytest.raises(CannotWrite, match="file/new: Not a directory"):
        check_writable(tmp_path / "file" / "new")
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["nowhere/file", ".", "folder", "a" * 300, "nul\0"])
def test_an_invalid_file_name_is_rejected(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for overwrite in (False, True):
        with pytest.raises(CannotWrite):
            check_writable(tmp_path / name, overwrite)
        with pytest.raises(CannotWrite):
            written(tmp_path / name, b"", overwrite)
    assert names(tmp_path) == ["folder"]


@pytest.mark.skipif(sys.platform == "win32", reason="links and permissions are others there")
def test_a_symbolic_link_counts_as_existing_and_its_target_is_overwritten(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    with pytest.raises(FileExists):
        check_writable(link)
    with pytest.raises(FileExists):
        written(link, b"one")
    written(link, b"one", overwrite=True)
    assert link.is_symlink()
    assert file.read_bytes() == b"one"


@pytest.mark.skipif(sys.platform == "win32", reason="links and permissions are others there")
@pytest.mark.parametrize(
    ("before", "mode", "after"), [(None, 0o600, 0o600), (0o600, 0o666, 0o600), (0o664, 0o600, 0o600)]
)
def test_a_replaced_file_gets_no_more_permissions(before: int | None, mode: int, after: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.touch()
        path.chmod(before)
    written(path, b"", overwrite=True, mode=mode)
    assert stat.S_IMODE(path.stat().st_mode) == after
