"""Print the lowest versions that pyproject.toml allows, as pip takes them."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for dependency in project["dependencies"]:
    print(dependency.replace(">=", "=="))
