"""All code in the documentation is run, page by page."""

import importlib.util
import pathlib
import re

import foregone
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
NEEDS = {
    "dataframes.md": ["pyarrow", "polars", "duckdb"],
    "openspiel.md": ["pyspiel"],
    "train.md": ["numpy"],
}
PAGES = [ROOT / "crates/python/README.md", *sorted((ROOT / "docs/python").glob("*.md"))]


def test_the_expression_of_the_readme_is_as_it_says():
    readme = (ROOT / "README.md").read_text()
    [expression] = re.findall(r"`(foregone\.\w+\(.*?)`", readme)
    answer = eval(expression, {"foregone": foregone})
    assert answer.proven and answer.value == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    for package in NEEDS.get(page.name, []):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    scope = {}
    for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(compile(code, str(page), "exec"), scope)
