"""Two folders of small pictures, enough for batches."""

from ..files import images

SECONDS = 60


def before(namespace):
    images("data_small", ["Chic", "Duck"], each=110, size=(8, 8))
    images("data_small_test", ["Chic", "Duck"], each=3)
