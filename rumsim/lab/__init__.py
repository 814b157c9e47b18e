"""The questions that people ask, each a function over the same runs and statistics."""
