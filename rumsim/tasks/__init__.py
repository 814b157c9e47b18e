"""What can be run: a task plays a range of blocks and fills integer arrays."""
