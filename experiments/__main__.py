"""Run every experiment of this folder, or those named: ``python -m experiments [NAME …]``."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import experiments


def main(wanted: list[str]) -> int:
    """Run the experiments named, or all that are found."""
    names = sorted(found.name for found in pkgutil.iter_modules(experiments.__path__) if found.name[0] != "_")
    unknown = [name for name in wanted if name not in names]
    if unknown:
        print(f"experiments: got {' '.join(unknown)}; allowed: {', '.join(names)}", file=sys.stderr)
        return 2
    for name in wanted or names:
        print(f"== {name}", flush=True)
        import_module(f"experiments.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
