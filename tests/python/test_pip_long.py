"""pip installs the module from a source archive, without a network, into a virtual environment."""

import importlib.util
import os
import subprocess
import sys
import tarfile

import conftest

import retrosow


def test_pip_installs_what_works_and_takes_it_away_again(tmp_path):
    spec = importlib.util.spec_from_file_location("build_backend", conftest.SOURCE / "solver" / "python" / "build_backend.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    archive = tmp_path / backend.build_sdist(tmp_path)
    with tarfile.open(archive) as packed:
        names = packed.getnames()
    assert f"retrosow-{retrosow.__version__}/pyproject.toml" in names
    assert not [name for name in names if "/build/" in name or "/." in name]

    # No index, also for the environment that the build is isolated in; nothing of this build's module.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"PIP_NO_INDEX": "1"}

    def run(*words):
        ran = subprocess.run(
            list(map(str, words)), cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    run(sys.executable, "-m", "venv", "--system-site-packages", "venv")
    python = tmp_path / "venv" / "bin" / "python3"
    run(python, "-m", "pip", "install", archive)
    show = "import retrosow; print(retrosow.__file__, retrosow.__version__, retrosow.solve('2,2,2/2,2,2').value)"
    where, version, value = run(python, "-c", show).split()
    assert where.startswith(str(tmp_path / "venv")) and (version, value) == (retrosow.__version__, "3")
    files = {line.split("/")[-1] for line in run(python, "-m", "pip", "show", "-f", "retrosow").splitlines()}
    assert {"py.typed", "_native.pyi", "records.py", "METADATA", "LICENSE"} <= files
    run(python, "-m", "pip", "uninstall", "-y", "retrosow")
    assert not (tmp_path / where).parent.exists()
