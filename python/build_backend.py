"""Builds the wheel (PEP 517): Cargo builds the library and the PDF worker, and this backend packs them
with `functions.py`, which it generates from the library.

docs/dependencies.md explains why this is not maturin.

The options of `pip install --config-settings KEY=VALUE`, or of `build_wheel`:

    profile   the profile of Cargo: `dist` (the default: small and fast), `release` or `dev`
    features  features of Cargo that are not on by default, such as `cluster`
    built     a folder with a library and a worker that are already built; Cargo does not run
    glibc     the oldest glibc that the wheel runs with, such as `2.28`: Cargo links with that of Zig
              (pip install ziglang cargo-zigbuild), so that no old system is needed
    platform  the platform in the name of the wheel; with `glibc`, that of manylinux
"""

import base64
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import generate

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PACKAGE = "corpus_sql"
LIBRARY = "corpus_sql_python"
WORKER = "corpus-pdf-worker"
FUNCTIONS = "functions.py"
#: The oldest Python whose stable interface the library uses.
PYTHON = "cp310"
SETTINGS = {"profile", "features", "built", "glibc", "platform"}
#: The time of all members, so that builds of the same files are identical.
TIME = (2020, 1, 1, 0, 0, 0)


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write a wheel to a folder, and return its name."""
    settings = config_settings or {}
    unknown = set(settings) - SETTINGS
    if unknown:
        raise ValueError(f"unknown settings: {', '.join(sorted(unknown))}; see {__file__}")
    built = Path(settings["built"]) if "built" in settings else run_cargo(settings)
    version = crate_version()
    tag = f"{PYTHON}-abi3-{platform_tag(settings)}"
    name = f"{PACKAGE}-{version}-{tag}.whl"
    # Compressing the unoptimized library takes longer than the tests.
    compression = zipfile.ZIP_STORED if "built" in settings else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", compression, compresslevel=9) as archive:
        wheel = Wheel(archive)
        for path in sorted((HERE / PACKAGE).rglob("*")):
            if path.is_file() and path.suffix in (".py", ".pyi", ".typed") and path.name != FUNCTIONS:
                wheel.add(f"{PACKAGE}/{path.relative_to(HERE / PACKAGE).as_posix()}", path.read_bytes())
        for path in sorted((ROOT / "queries").glob("*.sql")):
            wheel.add(f"{PACKAGE}/queries/{path.name}", path.read_bytes())
        native = library(built)
        functions = generate.source(generate.load(native.absolute()))
        wheel.add(f"{PACKAGE}/{FUNCTIONS}", functions.encode())
        wheel.add(f"{PACKAGE}/_native.{module_suffix()}", native.read_bytes())
        worker = built / WORKER
        if worker.exists():
            wheel.add(f"{PACKAGE}/{WORKER}", worker.read_bytes(), executable=True)
        info = f"{PACKAGE}-{version}.dist-info"
        wheel.add(f"{info}/METADATA", metadata(version).encode())
        wheel.add(f"{info}/WHEEL", wheel_file(tag).encode())
        wheel.add(f"{info}/entry_points.txt", entry_points().encode())
        wheel.add(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
        wheel.add_record(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError(
        "there is no source distribution: the library is built from the whole repository; "
        "build a wheel in a clone of it"
    )


class Wheel:
    """An archive and the list of its files."""

    def __init__(self, archive):
        self.archive = archive
        self.record = []

    def add(self, name, data, executable=False):
        self.write(name, data, 0o755 if executable else 0o644)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def add_record(self, name):
        self.write(name, "".join([*self.record, f"{name},,\n"]).encode(), 0o644)

    def write(self, name, data, mode):
        entry = zipfile.ZipInfo(name, TIME)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = self.archive.compression
        self.archive.writestr(entry, data)


def run_cargo(settings):
    """Build the library and the worker, and return their folder."""
    cargo = os.environ.get("CARGO", "cargo")
    profile = settings.get("profile", "dist")
    target, build = None, ["build"]
    if "glibc" in settings:
        target = f"{platform.machine()}-unknown-linux-gnu"
        build = ["zigbuild", "--target", f"{target}.{glibc_version(settings)}"]
        if subprocess.run([cargo, "zigbuild", "--version"], capture_output=True).returncode != 0:
            sys.exit("the setting glibc needs Zig: pip install ziglang cargo-zigbuild")
    command = [cargo, *build, "--locked", "--profile", profile, "--manifest-path", ROOT / "Cargo.toml"]
    packages = ["--package", "corpus-sql-python", "--lib", "--package", "corpus-pdf", "--bin", WORKER]
    if "features" in settings:
        names = re.split("[ ,]+", settings["features"])
        packages += ["--features", ",".join(f"corpus-sql-python/{name}" for name in names)]
    try:
        subprocess.run([*command, *packages], check=True)
    except FileNotFoundError:
        sys.exit("building corpus-sql needs Rust: see https://rustup.rs")
    folder = "debug" if profile == "dev" else profile
    return Path(cargo_metadata()["target_directory"], target or "", folder)


def platform_tag(settings):
    if "platform" in settings:
        return settings["platform"]
    if "glibc" in settings:
        return f"manylinux_{glibc_version(settings).replace('.', '_')}_{platform.machine()}"
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def glibc_version(settings):
    if not re.fullmatch(r"2\.\d+", settings["glibc"]):
        raise ValueError(f"glibc is a version such as 2.28, got {settings['glibc']!r}")
    return settings["glibc"]


def cargo_metadata():
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "metadata", "--format-version=1", "--no-deps", "--locked"]
    text = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE).stdout
    return json.loads(text)


def crate_version():
    packages = cargo_metadata()["packages"]
    return next(package["version"] for package in packages if package["name"] == "corpus-sql-python")


def library(built):
    names = [f"lib{LIBRARY}.so", f"lib{LIBRARY}.dylib", f"{LIBRARY}.dll"]
    for name in names:
        if (built / name).exists():
            return built / name
    raise FileNotFoundError(f"none of {', '.join(names)} is in {built}")


def module_suffix():
    return "pyd" if os.name == "nt" else "abi3.so"


def project():
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def metadata(version):
    about = project()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {about['name']}",
        f"Version: {version}",
        f"Summary: {about['description']}",
        f"Keywords: {','.join(about['keywords'])}",
        f"License-Expression: {about['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {about['requires-python']}",
        *(f"Classifier: {classifier}" for classifier in about["classifiers"]),
    ]
    for extra, requirements in about["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {one}; extra == '{extra}'" for one in requirements]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text("utf-8")]
    return "\n".join(lines)


def wheel_file(tag):
    lines = ["Wheel-Version: 1.0", "Generator: corpus-sql", "Root-Is-Purelib: false", f"Tag: {tag}"]
    return "\n".join([*lines, ""])


def entry_points():
    scripts = "\n".join(f"{name} = {target}" for name, target in project()["scripts"].items())
    return f"[console_scripts]\n{scripts}\n"
