"""The package itself: files, stubs, and the command."""

import ast
import importlib.metadata
import importlib.util
import os
import platform
import signal
import subprocess
import sys
import sysconfig
import time
import zipfile
from pathlib import Path

import pytest

import corpus_sql as cs
from corpus_sql import _native

COMMAND = Path(sysconfig.get_path("scripts")) / "corpus-sql"


def run(*args, **how):
    how = {"capture_output": True, "text": True, "timeout": 120, **how}
    return subprocess.run([COMMAND, *map(str, args)], **how)


def test_the_installed_package_is_tested(root):
    # The venv may be below the root, in Cargo's target folder.
    assert root / "python" not in Path(cs.__file__).parents
    folder = Path(cs.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
    assert os.access(folder / "corpus-pdf-worker", os.X_OK)
    assert len(cs.queries()) == len(list((root / "queries").glob("*.sql")))


def test_the_wheel_has_a_documented_function_for_each_of_the_library():
    source = ast.parse(Path(cs.functions.__file__).read_text(encoding="utf-8"))
    defined = [node for node in source.body if isinstance(node, ast.FunctionDef)]
    assert {node.name for node in defined} == {function["name"] for function in _native.functions()}
    for node in defined:
        assert "In SQL:" in ast.get_docstring(node), node.name
        assert all(argument.annotation for argument in node.args.args), node.name


def test_stubs_have_the_names_of_the_library():
    stub = ast.parse((Path(cs.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))
    stated = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            stated[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            stated[node.name] = None
    there = {name for name in vars(_native) if not name.startswith("_")}
    assert set(stated) == there
    inherited = set(dir(object))
    for name, methods in stated.items():
        kind = getattr(_native, name)
        if methods is None or issubclass(kind, Exception):
            continue
        own = {method for method in vars(kind) if method not in inherited and method != "__module__"}
        assert methods - {"__init__"} == own - {"__doc__", "__new__"}, name


def test_names_are_exported():
    for name in cs.__all__:
        assert hasattr(cs, name), name


def test_importing_needs_no_other_package(python):
    program = """
import sys
import corpus_sql
print(sorted({"numpy", "pyarrow", "pandas", "polars", "pyspark", "ray"} & set(sys.modules)))
"""
    assert python(program) == "[]\n"


def test_the_command_is_that_of_the_binary(samples, tmp_path):
    assert run("--version").stdout == f"corpus-sql {cs.__version__}\n"
    shown = run("-q", "--format", "csv", "-c", "SELECT $name AS a", "-p", "name=x")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "a\nx\n", "")
    assert run("-c", "SELECT oops").returncode == 1
    assert run("--nonsense").returncode == 2
    module = subprocess.run([sys.executable, "-m", "corpus_sql", "--version"], capture_output=True, text=True)
    assert module.stdout == run("--version").stdout
    pdfs = run("-q", "--format", "csv", "-c", f"SELECT count(pdf_parse(content)['text']) AS n FROM read_pdf('{samples}/pdf/')")
    assert pdfs.returncode == 0 and int(pdfs.stdout.split()[1]) > 5, pdfs.stderr
    # A reader that stops early is not an error.
    head = f"{COMMAND} -q --format csv -c 'SELECT * FROM generate_series(1, 10000000)' | head -n 2"
    assert subprocess.run(head, shell=True, capture_output=True, text=True).stdout == "generate_series\n1\n"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_command_can_be_interrupted(tmp_path, sent):
    target = tmp_path / "x.parquet"
    sql = f"COPY (SELECT value FROM generate_series(1, 1000000000000)) TO '{target}'"
    process = subprocess.Popen([COMMAND, "-c", sql], stderr=subprocess.PIPE, text=True)
    # Wait until the query writes.
    while not list(tmp_path.iterdir()):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(sent)
    assert process.wait(60) == 130
    assert "interrupted" in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


def test_the_wheel_names_what_it_needs(root):
    metadata = importlib.metadata.metadata("corpus-sql")
    assert metadata["License-Expression"] == "Apache-2.0"
    assert "pandas" in metadata.get_all("Provides-Extra")
    assert not [one for one in importlib.metadata.requires("corpus-sql") if "extra" not in one]


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def check_wheel(root):
    return loaded(root / "python" / "check_wheel.py")


def test_wheels_name_the_systems_that_they_are_for(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "python")
    backend = loaded(root / "python" / "build_backend.py")
    assert backend.platform_tag({"glibc": "2.28"}) == f"manylinux_2_28_{platform.machine()}"
    assert backend.platform_tag({"platform": "any"}) == "any"
    assert backend.platform_tag({}).endswith(platform.machine())
    for version in ["2", "2.28.1", "musl"]:
        with pytest.raises(ValueError, match="such as 2.28"):
            backend.platform_tag({"glibc": version})


def made_wheel(path, files):
    with zipfile.ZipFile(path, "w") as wheel:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, content)
    return path


def test_wheels_are_checked(check_wheel, tmp_path):
    good = {
        "corpus_sql/_native.abi3.so": (b"\x7fELF\0GLIBC_2.17\0GLIBC_2.28\0", 0o644),
        "corpus_sql/corpus-pdf-worker": (b"\x7fELF\0GLIBC_2.2.5\0", 0o755),
        "x.dist-info/entry_points.txt": (b"[console_scripts]\ncorpus-sql = corpus_sql.__main__:main\n", 0o644),
    }
    name = "corpus_sql-1-cp310-abi3-manylinux_2_28_x86_64.whl"

    def problems(files, **how):
        wheel = made_wheel(tmp_path / name, files)
        return "; ".join(check_wheel.problems(wheel, "corpus-pdf-worker", **how))

    assert problems(good) == ""
    assert "limit" in problems(good, max_megabytes=0.0001)
    twice = {**good, "corpus_sql.libs/again.so": (b"", 0o644)}
    assert "2 libraries" in problems(twice)
    newer = {**good, "corpus_sql/corpus-pdf-worker": (b"\0GLIBC_2.34\0GLIBC_2.17\0", 0o755)}
    assert "corpus-pdf-worker needs glibc 2.34" in problems(newer)
    for missing, message in [("corpus_sql/corpus-pdf-worker", "lacks"), ("x.dist-info/entry_points.txt", "command")]:
        assert message in problems({name: file for name, file in good.items() if name != missing})
    unusable = {**good, "corpus_sql/corpus-pdf-worker": (b"", 0o644)}
    assert "not executable" in problems(unusable)
