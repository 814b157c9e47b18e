"""Which of several candidates may be the best."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rumsim.stats.bands import _weights


def not_beaten(batches: npt.ArrayLike, sizes: npt.ArrayLike, level: float = 0.95) -> npt.NDArray[np.bool_]:
    """Placeholder until the helper for sweep is merged."""
    sums, blocks = np.asarray(batches, np.float64), np.asarray(sizes, np.float64)
    best = int(sums.sum(axis=0).argmax())
    apart = sums[:, [best]] - sums
    mean = apart.sum(axis=0) / blocks.sum()
    apart -= np.outer(blocks, mean)
    if len(sums) < 2:
        return np.ones(sums.shape[1], bool)
    error = np.sqrt((apart**2).sum(axis=0))
    varies = error > 0
    weights, root = _weights(0, 10_000, len(sums))
    largest = (weights @ (apart[:, varies] / error[varies])).max(axis=1, initial=0) / root
    factor = float(np.quantile(largest, level))
    return mean <= factor * error * np.sqrt(len(sums) / (len(sums) - 1)) / blocks.sum()
