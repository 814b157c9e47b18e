"""Questions put to rumsim, a file each; ``python -m experiments`` answers all of them."""
