"""Checks a wheel before it is published: its files, its size, and the systems that it runs on."""

import re
import zipfile
from pathlib import Path

MAX_MEGABYTES = 60

#: The glibc versions in the symbol table of a program or library.
GLIBC = re.compile(rb"\0GLIBC_2\.(\d+)(?:\.\d+)?(?=\0)")
#: The platform of a wheel that needs at least this glibc version.
MANYLINUX = re.compile(r"-manylinux_2_(\d+)_")


def problems(path, worker, max_megabytes=MAX_MEGABYTES):
    """Yield the problems of a wheel. `worker` is the name of the program for PDFs."""
    path = Path(path)
    megabytes = path.stat().st_size / 1e6
    if megabytes >= max_megabytes:
        yield f"it has {megabytes:.1f} MB; the limit is {max_megabytes} MB"
    platform = MANYLINUX.search(path.name)
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        scripts = [name for name in names if name.endswith(".dist-info/entry_points.txt")]
        if not any(b"corpus-sql = " in wheel.read(name) for name in scripts):
            yield "it does not install the command corpus-sql"
        binaries = [name for name in names if name.endswith((".so", ".pyd", ".dylib", worker))]
        libraries = [name for name in binaries if not name.endswith(worker)]
        if len(libraries) != 1:
            yield f"it has {len(libraries)} libraries instead of one: {', '.join(libraries)}"
        if len(binaries) == len(libraries) and "win" not in path.name:
            yield f"it lacks {worker}, which parses PDFs"
        if any(wheel.getinfo(name).external_attr >> 16 & 0o111 == 0 for name in binaries if name.endswith(worker)):
            yield f"{worker} is not executable"
        for name in binaries if platform else []:
            newest = max((int(version) for version in GLIBC.findall(wheel.read(name))), default=0)
            if newest > int(platform[1]):
                yield (
                    f"{name} needs glibc 2.{newest}, newer than the platform of the wheel: build it with "
                    f"--glibc 2.{platform[1]}"
                )
