"""The engine: compiled twins of melds, decks, referee and settlement, proved equal to them by tests.

Nothing here knows frames, charts or workers.  Python allocates arrays, kernels fill them.
"""
