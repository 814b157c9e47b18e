"""From the sums of a grid to frames: a row a cell, and a row for each best answer."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rumsim.engine.requests import ENDS, SIXTIETHS, TWELFTHS
from rumsim.stats.bands import batch_factor
from rumsim.stats.best_set import not_beaten
from rumsim.stats.shares import LEAST, limits
from rumsim.tasks.grid_sums import GridSums
from rumsim.tasks.sums import Integers

CELLS = ("players", "focal", "table", "ev", "ev_se", "win", "win_se", "blocks", "win_low", "win_high")
BANDS = ("ev_band_low", "ev_band_high", "win_band_low", "win_band_high")
CURVES = (*CELLS, *BANDS, *ENDS, "turns")
BEST = ("players", "table", "best", "low", "high", "ev", "ev_se", "ev_band_low", "ev_band_high")
SETS = ("set_low", "set_high", "members")

FLAT = 0.02  # points a deal: thresholds that lose no more to the best are as good in practice
_DRAWS = 2000  # of the bootstrap, for each of the hundreds of curves of a grid


def cells_frame(
    sums: GridSums,
    players: tuple[int, ...],
    focal: tuple[int, ...],
    opponents: tuple[int, ...],
    curves: bool,
    *,
    alike: bool,
) -> pd.DataFrame:
    """Return a row a cell, sorted by players, own threshold and opponents'; for curves with bands and ends.

    ``alike``: where thresholds are equal bots are, who have equal parts of the deals that somebody wins.
    """
    shape = len(players), len(opponents), len(focal)
    grid = np.meshgrid(players, opponents, focal, indexing="ij")
    columns: dict[str, np.ndarray] = dict(zip(("players", "table", "focal"), grid, strict=True))
    for name, totals, squares, unit in _quantities(sums):
        units = unit * np.array(players, np.float64)[:, None, None]
        columns[name], columns[f"{name}_se"] = estimates(totals, squares, sums.blocks, units)
    if curves:
        margin = columns["ev_se"] * factors(sums, "ev")[:, :, None]
        columns |= {"ev_band_low": columns["ev"] - margin, "ev_band_high": columns["ev"] + margin}
    most = np.where(alike & (columns["focal"] == columns["table"]), 1 / columns["players"], 1.0)
    columns["win_low"], columns["win_high"] = _shares(columns, sums.blocks, most, None)
    if curves:
        columns["win_band_low"], columns["win_band_high"] = _shares(
            columns, sums.blocks, most, factors(sums, "win")[:, :, None]
        )
    columns["blocks"] = np.full(shape, sums.blocks)
    if curves:
        deals = sums.blocks * columns["players"]
        with np.errstate(invalid="ignore", divide="ignore"):
            columns |= {end: sums.ends[..., place].astype(np.float64) / deals for place, end in enumerate(ENDS)}
            columns["turns"] = sums.turns.astype(np.float64) / deals
    frame = pd.DataFrame({name: columns[name].ravel() for name in (CURVES if curves else CELLS)})
    return frame.sort_values(["players", "focal", "table"], kind="stable", ignore_index=True)


def best_frame(
    searched: GridSums,
    confirmed: GridSums | None,
    players: tuple[int, ...],
    focal: tuple[int, ...],
    opponents: tuple[int, ...],
) -> pd.DataFrame:
    """Return the best own threshold for each player count and opponents' threshold.

    Parameters
    ----------
    searched : GridSums
        Where the best is found, and the range of thresholds within 0.02 points of it; of equals the lowest.  Also
        the set of those not beaten at 95 %: its ends, and all members as text, such as ``26-29, 31``.
    confirmed : GridSums, optional
        Where it is confirmed: what it earns there, with its error and the band that holds the whole curve.
    players, focal, opponents : tuple of int
        What the sums are of.
    """
    if not searched.blocks:
        return pd.DataFrame({name: [] for name in (*BEST, *SETS)})
    units = TWELFTHS * searched.blocks * np.array(players, np.float64)[:, None, None]
    means = searched.points.astype(np.float64) / units
    best = means.argmax(axis=2)
    own = np.array(focal)
    top = np.take_along_axis(means, best[:, :, None], axis=2)
    near = means >= top - FLAT
    low, high = _around(near, best)
    grid = np.meshgrid(players, opponents, indexing="ij")
    nothing = np.full(best.shape, np.nan)
    ev, error, margin = nothing, nothing, nothing
    if confirmed is not None and confirmed.blocks:
        size = TWELFTHS * np.array(players, np.float64)[:, None, None]
        every, errors = estimates(confirmed.points, confirmed.points_squares, confirmed.blocks, size)
        ev, error = (np.take_along_axis(values, best[:, :, None], axis=2)[:, :, 0] for values in (every, errors))
        margin = error * factors(confirmed, "ev")
    columns = (*grid, own[best], own[low], own[high], ev, error, ev - margin, ev + margin)
    frame = pd.DataFrame({name: column.ravel() for name, column in zip(BEST, columns, strict=True)})
    sets = not_beaten_of(searched).reshape(-1, len(focal))
    frame["set_low"] = own[sets.argmax(axis=1)]
    frame["set_high"] = own[::-1][sets[:, ::-1].argmax(axis=1)]
    frame["members"] = [_stretches(one, focal) for one in sets]
    return frame


def not_beaten_of(sums: GridSums) -> np.ndarray:
    """Return which own thresholds may be the best against each table, bool[P, T, F]."""
    sizes = [batch.blocks for batch in sums.batches.values()]
    batches = np.array([batch.points for batch in sums.batches.values()])
    found = np.ones(sums.points.shape, np.bool_)
    for p, t in np.ndindex(found.shape[:2]):
        found[p, t] = not_beaten(batches[:, p, t], sizes, draws=_DRAWS)
    return found


def _stretches(members: np.ndarray, focal: tuple[int, ...]) -> str:
    """Write the members of a set: neighbours in the grid as a stretch."""
    places = np.flatnonzero(members)
    parts = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    ends = [(focal[part[0]], focal[part[-1]]) for part in parts]
    return ", ".join(f"{low}-{high}" if low < high else str(low) for low, high in ends)


def _shares(
    columns: dict[str, np.ndarray], blocks: int, most: np.ndarray, factor: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of intervals or bands of win shares; NaN with too few blocks."""
    if blocks < LEAST:
        nothing = np.full(most.shape, np.nan)
        return nothing, nothing
    return limits(columns["win"], columns["win_se"], blocks, most=most, factor=factor)


def estimates(totals: Integers, squares: Integers, blocks: int, units: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means a deal and their standard errors over blocks, NaN where they do not exist.

    Examples
    --------
    >>> [float(number[0]) for number in estimates(np.array([12]), np.array([80]), 2, np.array([12.0]))]
    [0.5, 0.16666666666666666]
    """
    if not blocks:
        nothing = np.full(totals.shape, np.nan)
        return nothing, nothing
    mean = totals.astype(np.float64) / (blocks * units)
    if blocks < 2:
        return mean, np.full(totals.shape, np.nan)
    # Python's whole numbers where 64 bits would not hold them; the difference of two large ones loses nothing.
    whole = (blocks * squares.astype(object) - totals.astype(object) ** 2).astype(np.float64)
    return mean, np.sqrt(whole) / (units * blocks * np.sqrt(blocks - 1.0))


def factors(sums: GridSums, name: str) -> np.ndarray:
    """Return by how much the errors of each curve are multiplied for a band, float64[P, T]."""
    sizes = [batch.blocks for batch in sums.batches.values()]
    batches = np.array([batch.points if name == "ev" else batch.wins for batch in sums.batches.values()])
    shape = sums.points.shape[:2]
    if not len(batches):
        return np.full(shape, np.nan)
    found = [batch_factor(batches[:, p, t], sizes, draws=_DRAWS) for p in range(shape[0]) for t in range(shape[1])]
    return np.array(found).reshape(shape)


def _around(near: np.ndarray, best: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and last place of the unbroken stretch around the best that is near it."""
    low, high = best.copy(), best.copy()
    for at in np.ndindex(best.shape):
        while low[at] > 0 and near[*at, low[at] - 1]:
            low[at] -= 1
        while high[at] + 1 < near.shape[-1] and near[*at, high[at] + 1]:
            high[at] += 1
    return low, high


def _quantities(sums: GridSums) -> tuple[tuple[str, Integers, Integers, int], ...]:
    return (
        ("ev", sums.points, sums.points_squares, TWELFTHS),
        ("win", sums.wins, sums.wins_squares, SIXTIETHS),
    )
