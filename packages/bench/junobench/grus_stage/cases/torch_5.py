"""Pictures of dogs, enough for one whole batch of the quarter that is held out."""

from ..files import images


def before(namespace):
    images("data_small/images/Images", ["n02085620-Chihuahua", "n02085782-Japanese_spaniel"], each=40, size=(8, 8))
