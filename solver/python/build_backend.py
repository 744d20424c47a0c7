"""Builds wheels with CMake: the PEP 517 backend that pyproject.toml names.

It uses nothing but Python's standard library, so that pip needs no network for it, isolated or not. CMake builds the
target retrosow_python into build/pip-<tag>, which is kept and makes the next time quick. CMake reads the environment: CXX,
CMAKE_GENERATOR, CMAKE_BUILD_PARALLEL_LEVEL; CMAKE_ARGS are further words for its configuration.
"""

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file in a wheel: the same build gives the same bytes


def _project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def _version():
    return re.search(r"^project\(retrosow VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata():
    project = _project()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {_version()}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {requirement}" for requirement in project["dependencies"]),
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / project["readme"]).read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


def _build_package():
    """The folder of the package, built."""
    folder = ROOT / "build" / f"pip-{_tag()}"
    generator = ["-G", "Ninja"] if "CMAKE_GENERATOR" not in os.environ and shutil.which("ninja") else []
    configure = [
        *generator,
        "-DCMAKE_BUILD_TYPE=Release",
        "-DRETROSOW_BUILD_PYTHON=ON",
        "-DRETROSOW_BUILD_TESTS=OFF",
        f"-DPython3_EXECUTABLE={sys.executable}",
        *shlex.split(os.environ.get("CMAKE_ARGS", "")),
    ]
    # What an earlier build found out about another Python, or left of files that are gone, does not count.
    shutil.rmtree(folder / "python", ignore_errors=True)
    (folder / "CMakeCache.txt").unlink(missing_ok=True)
    parallel = [] if "CMAKE_BUILD_PARALLEL_LEVEL" in os.environ else [str(os.cpu_count() or 1)]
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), *configure], check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "retrosow_python", "--parallel", *parallel], check=True)
    return folder / "python" / "retrosow"


def _dist_info():
    return f"retrosow-{_version()}.dist-info"


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = Path(metadata_directory) / _dist_info()
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata(), encoding="utf-8")
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build_package()
    name = f"retrosow-{_version()}-{_tag()}.whl"
    record = []
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path, content, mode=0o644):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}")
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)

        for file in sorted(package.iterdir()):
            if file.is_file():
                add(f"retrosow/{file.name}", file.read_bytes(), 0o755 if file.suffix == ".so" else 0o644)
        add(f"{_dist_info()}/METADATA", _metadata().encode())
        add(f"{_dist_info()}/WHEEL", f"Wheel-Version: 1.0\nGenerator: retrosow\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
        add(f"{_dist_info()}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
        add(f"{_dist_info()}/RECORD", "\n".join([*record, f"{_dist_info()}/RECORD,,", ""]).encode())
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The source tree without what is built or hidden."""
    base = f"retrosow-{_version()}"

    def wanted(entry):
        parts = Path(entry.name).parts[1:]
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        return None if hidden or parts[:1] == ("build",) else entry

    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        archive.add(ROOT, base, filter=wanted)
        info = Path(sdist_directory) / "PKG-INFO"
        info.write_text(_metadata(), encoding="utf-8")
        archive.add(info, f"{base}/PKG-INFO")
        info.unlink()
    return f"{base}.tar.gz"
