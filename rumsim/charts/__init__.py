"""Charts: one a file, a frame in, a Figure out; nothing here simulates."""
