"""Tables as parquet files: the same frame is the same bytes, whatever the versions of pandas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def write_parquet(path: Path, frame: pd.DataFrame) -> None:
    """Write a frame as one of four column types; NaN becomes null.

    Parameters
    ----------
    path : Path
        The file.  It is opened here: pyarrow would take a name such as ``file:x`` for an address.
    frame : DataFrame
        Its index is not written.
    """
    import pyarrow.parquet

    with path.open("wb") as file:
        pyarrow.parquet.write_table(_arrow(frame), file, compression="zstd")


def _arrow(frame: pd.DataFrame) -> pa.Table:
    """Turn a frame into one of four column types, without the notes that pandas leaves, which change by version."""
    import pandas as pd
    import pyarrow as pa

    columns = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_bool_dtype(column.dtype):
            kind = pa.bool_()
        elif pd.api.types.is_integer_dtype(column.dtype):
            kind = pa.int64()
        elif pd.api.types.is_float_dtype(column.dtype):
            kind = pa.float64()
        else:
            kind = pa.string()
        columns[str(name)] = pa.array(column, type=kind, from_pandas=True)  # NaN becomes null
    return pa.table(columns).replace_schema_metadata(None)
