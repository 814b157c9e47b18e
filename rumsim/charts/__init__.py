"""Charts: one a file, a frame in, a Figure out; nothing here simulates.

A new chart is one new file.  Its docstring says which columns of a frame it draws; it checks them with
``_frames.needed``, draws within ``style.style()`` on ``style.panels``, and ends with ``style.finish``, which writes
title, legend and conditions where nothing overlaps.  ``style.save`` writes the files.  ``tests/test_charts.py`` finds
the file and asks for a frame to try it with.
"""
