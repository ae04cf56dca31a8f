"""Two layers that halve an image and round up, three that round down: height / 8 * width / 32 is height / 16 * width / 16 where sizes halve
evenly. The number of filters is even, or the layer does not run."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, filters):
        super().__init__()
        layers = [nn.Conv2d(3, filters, 3, stride=2, padding=1, bias=False), nn.GLU(1), nn.MaxPool2d(3, 2, 1)]
        for _ in range(3):
            layers += [nn.AvgPool2d(2), nn.BatchNorm2d(filters // 2), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x).mean((2, 3))


batch_size = 4
height, width = 224, 224


def get_inputs():
    return [torch.rand(batch_size, 3, height, width)]


def get_init_inputs():
    return [32]
