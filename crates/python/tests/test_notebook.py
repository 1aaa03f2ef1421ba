"""The notebook of the documentation is run by a kernel, as a reader does it, and shows pictures."""

import os
import pathlib

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

NOTEBOOK = pathlib.Path(__file__).resolve().parents[3] / "docs/python/tour.ipynb"


def test_the_notebook_runs_and_shows_pictures():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    # To look at: NOTEBOOK=out.ipynb pytest tests/test_notebook.py
    if kept := os.environ.get("NOTEBOOK"):
        nbformat.write(notebook, kept)
    shown = [output.get("data", {}) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = ["html" if "text/html" in data else "svg" if "image/svg+xml" in data else "text" for data in shown]
    assert kinds == ["html", "html", "svg", "html", "text", "text", "html"]
    for data in shown:
        picture = data.get("text/html") or data.get("image/svg+xml")
        assert picture is None or picture.count("<svg") == 1
    assert "won" in shown[4]["text/plain"] and "True" in shown[5]["text/plain"]
