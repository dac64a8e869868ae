"""Fixtures of the tests of the installed package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Far longer than any test; only ends runs that hang.
TIMEOUT = 120


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def samples():
    return ROOT / "data-samples"


@pytest.fixture
def con():
    import corpus_sql

    return corpus_sql.connect(threads=2, memory_limit="1GB")


@pytest.fixture
def python():
    """Runs a program in a separate process, which must succeed; returns its output."""

    def python(program):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            cwd=ROOT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return python
