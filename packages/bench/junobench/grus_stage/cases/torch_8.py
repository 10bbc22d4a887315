"""Pictures with and without a watermark, and a small network in place of the large one."""

from ..files import images


def before(namespace):
    import timm

    for part in ("train", "valid"):
        images("data_small/dataset/" + part, ["watermark", "no_watermark"], each=8)
    create = timm.create_model
    timm.create_model = lambda name, **options: create("efficientnet_b3", **options)
