"""Grus: will this notebook cell crash, and why does this training run fail?

`grus` on the command line; `grus.hooks` in a training loop.
"""
