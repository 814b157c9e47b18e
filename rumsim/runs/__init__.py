"""How tasks are run: in chunks of blocks, on several workers, with the same result whatever the chunks."""
