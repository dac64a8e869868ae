"""`.ci/release`, with a program and a library that are already built."""

import hashlib
import os
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest


@pytest.fixture
def folder():
    # Not tmp_path, which keeps the files of three runs: they have 600 MB without optimization.
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def release(root, folder):
    def release(**variables):
        command = [root / ".ci" / "release", folder]
        environment = {**os.environ, **variables}
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    return release


def test_a_release_has_the_program_the_wheel_and_their_checksums(release, folder):
    done = release()
    assert done.returncode == 0, done.stderr
    sums = dict(reversed(line.split("  ./")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    for name, expected in sums.items():
        with open(folder / name, "rb") as file:
            assert hashlib.file_digest(file, "sha256").hexdigest() == expected, name
    [archive], [wheel] = folder.glob("corpus-sql-*.tar.gz"), folder.glob("corpus_sql-*.whl")
    inner = archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as members:
        assert {f"{inner}/{name}" for name in ("README.md", "LICENSE", "CHANGELOG.md")} < set(members.getnames())
        assert f"{inner}/queries/warc_to_document.sql" in members.getnames()
        members.extract(f"{inner}/corpus-sql", folder, filter="data")
    ran = subprocess.run([folder / inner / "corpus-sql", "-q", "-c", "SELECT 1 + 1"], capture_output=True, text=True)
    assert ran.returncode == 0 and "| 2" in ran.stdout, ran.stderr
    with zipfile.ZipFile(wheel) as members:
        assert "corpus_sql/functions.py" in members.namelist()


def test_a_tag_of_another_version_is_refused(release, folder):
    done = release(TAG="v999.0.0")
    assert done.returncode == 1
    assert "the tag v999.0.0 does not match the version" in done.stderr
    assert not list(folder.iterdir())
