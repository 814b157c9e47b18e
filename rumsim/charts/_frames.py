"""What charts ask of a frame, and the intervals they draw from it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pandas as pd

from rumsim.errors import RequestError
from rumsim.stats.shares import LEAST, limits
from rumsim.stats.student import quantile

_LEVEL = 0.95


def needed(
    frame: pd.DataFrame, key: Sequence[str], numbers: Sequence[str], optional: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the columns that a chart draws, numbers as floats, or say what is missing.

    Parameters
    ----------
    frame : DataFrame
        What the caller has.
    key : sequence of str
        Columns that must be there and together tell the rows apart.
    numbers : sequence of str
        Columns of numbers that must be there; None and infinities become NaN.
    optional : sequence of str
        Columns of numbers that may be there.

    Returns
    -------
    DataFrame
        A copy of these columns, sorted by the key.

    Raises
    ------
    RequestError
        If a column is missing or holds no numbers, if there is no row, or if two rows have the same key.

    Examples
    --------
    >>> needed(pd.DataFrame({"players": [3, 2], "ev": [1, None], "more": "x"}), ["players"], ["ev"])
       players   ev
    0        2  NaN
    1        3  1.0
    >>> needed(pd.DataFrame({"players": [2]}), ["players"], ["ev", "ev_se"])
    Traceback (most recent call last):
    ...
    rumsim.errors.RequestError: frame: got no column ev, ev_se; allowed: columns players, ev, ev_se
    """
    wanted = [*key, *numbers]
    if missing := [name for name in wanted if name not in frame]:
        raise RequestError(f"frame: got no column {', '.join(missing)}; allowed: columns {', '.join(wanted)}")
    if frame.empty:
        raise RequestError("frame: got no rows; allowed: at least one")
    kept = frame[[*wanted, *(name for name in optional if name in frame)]].copy()
    for name in kept.columns.drop(list(key)):
        try:
            kept[name] = kept[name].astype(float).replace([np.inf, -np.inf], np.nan)
        except (TypeError, ValueError):
            raise RequestError(
                f"frame: got a column {name} that holds {kept[name].iloc[0]!r}; allowed: numbers"
            ) from None
    for name in key:
        if kept[name].isna().any():
            raise RequestError(f"frame: got a row without {name}; allowed: one in every row")
    if (twice := kept.duplicated(list(key))).any():
        row = ", ".join(f"{name} {kept.loc[twice, name].iloc[0]}" for name in key)
        raise RequestError(f"frame: got {row} twice; allowed: a row for each {', '.join(key)}")
    return kept.sort_values(list(key), kind="stable", ignore_index=True)


def margins(frame: pd.DataFrame, value: str) -> pd.Series[float]:
    """Return half the width of each row's 95 % interval: Student's t where ``blocks`` are known, else normal.

    Examples
    --------
    >>> margins(pd.DataFrame({"ev_se": [1.0, 1.0, None], "blocks": [2, 10**6, 1]}), "ev").round(2).tolist()
    [12.71, 1.96, nan]
    """
    errors = frame[f"{value}_se"].astype(float)
    tail = (1 + _LEVEL) / 2
    if "blocks" not in frame:
        return errors * NormalDist().inv_cdf(tail)
    return errors * frame["blocks"].map(lambda blocks: quantile(max(int(blocks) - 1, 1), tail)).astype(float)


def arms(frame: pd.DataFrame, value: str, least: int = LEAST) -> tuple[pd.Series[float], pd.Series[float]]:
    """Return how far each row's 95 % interval reaches below and above its value; NaN with too few blocks.

    The interval is the frame's own, in the columns ``…_low`` and ``…_high``, where it has one.  Else it is made of the
    standard error: of win shares as :func:`rumsim.stats.shares.limits` does where ``blocks`` are known, within 0 and
    1; of all else as :func:`margins` does.

    Examples
    --------
    >>> below, above = arms(pd.DataFrame({"win": [0.02], "win_se": [0.01], "blocks": [50]}), "win")
    >>> below.round(3).tolist(), above.round(3).tolist()
    ([0.013], [0.032])
    >>> arms(pd.DataFrame({"ev": [1.0], "ev_se": [0.5], "blocks": [19]}), "ev")[0].tolist()
    [nan]
    """
    at = frame[value].astype(float)
    if {f"{value}_low", f"{value}_high"} <= set(frame):
        return at - frame[f"{value}_low"].astype(float), frame[f"{value}_high"].astype(float) - at
    half = margins(frame, value)
    if "blocks" not in frame:
        return half, half
    half = half.where(frame["blocks"] >= least)
    if value != "win":
        return half, half
    ends = [
        limits(mean, error, int(blocks)) if blocks >= least else (np.nan, np.nan)
        for mean, error, blocks in zip(at, frame["win_se"].astype(float), frame["blocks"], strict=True)
    ]
    return at - [float(low) for low, _ in ends], [float(high) for _, high in ends] - at
