"""Sums over blocks, of columns that a kernel has filled."""

from __future__ import annotations

from rumsim.engine.jit import kernel


@kernel
def add_columns(rows, totals, products, cross):
    """Fill the totals of columns, and their products with themselves and, if ``cross``, with each other.

    Parameters
    ----------
    rows : int64[B, C]
        A row a block, stored column by column.
    totals, products : int64[C] and int64[C, C]
        Filled; without ``cross`` the products off the diagonal are left alone.
    cross : bool
        Whether products of different columns are wanted.
    """
    blocks, columns = rows.shape
    for one in range(columns):
        total = 0
        for block in range(blocks):
            total += rows[block, one]
        totals[one] = total
        for other in range(0 if cross else one, one + 1):
            product = 0
            for block in range(blocks):
                product += rows[block, one] * rows[block, other]
            products[one, other] = products[other, one] = product
