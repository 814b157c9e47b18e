"""``python -m rumsim``: the same as the command ``rumsim``."""

from __future__ import annotations

import sys

from rumsim.cli import main

if __name__ == "__main__":
    sys.exit(main())
