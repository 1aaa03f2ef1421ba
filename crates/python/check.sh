#!/usr/bin/env bash
# All checks of the Python package, with the module that `cargo build` has made: the first argument is the Python, the
# second the folder of its packages. Packages without a wheel for this Python are left out, and the tests that need them.
set -euo pipefail
cd "$(dirname "$0")"
python=${1:-python3}
packages=${2:-../../target/python}

ln -sf ../../../../target/debug/lib_foregone.so python/foregone/_foregone.abi3.so
[ -d "$packages" ] || "$python" -m venv "$packages"
pip() {
    "$packages/bin/pip" install --quiet --disable-pip-version-check "$@"
}
pip numpy pyarrow pettingzoo pytest mypy nbclient ipykernel
for optional in open_spiel==2.0.2 pandas polars duckdb; do
    pip --only-binary :all: "$optional" || echo "no $optional for this Python"
done

export PYTHONPATH=python:tests MYPYPATH=python
"$packages/bin/python" -m pytest
"$packages/bin/python" -m pytest --doctest-modules python/foregone
"$packages/bin/mypy" --strict -p foregone
"$packages/bin/python" -m mypy.stubtest --mypy-config-file pyproject.toml foregone._foregone
