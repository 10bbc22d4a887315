"""Two folders of pictures, enough that some are left for validation."""

from ..files import images


def before(namespace):
    images("data_small/chest-xray-pneumonia/chest_xray/train", ["NORMAL", "PNEUMONIA"], each=10)
