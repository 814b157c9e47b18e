"""What can be run: a task plays a range of blocks and fills integer arrays."""

RESULTS_VERSION = 1  # raised whenever the same request gives other numbers
