"""Folders of images, names for their classes, and a small network of VGG's class in place of the large one."""

import json

from ..files import images

KEEP = ("cat_to_name",)


def before(namespace):
    import torch
    from torchvision import models

    for part in ("train", "valid", "test"):
        images("data_small/flower_data/" + part, [1, 2, 3], each=2)
    with open("data_small/cat_to_name.json", "w") as file:
        json.dump({str(number): "flower %d" % number for number in range(102)}, file)
    models.vgg16 = lambda **_: models.VGG(torch.nn.Sequential(torch.nn.Conv2d(3, 512, 1, stride=32)))
