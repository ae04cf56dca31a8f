"""Depthwise layers that halve an image four times: height / 8 * width / 8 is height / 4 * width / 16 where sizes halve evenly."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        layers = []
        for _ in range(4):
            layers += [nn.Conv2d(channels, channels, 3, stride=2, padding=1, groups=channels, bias=False),
                       nn.BatchNorm2d(channels), nn.ReLU6()]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x).mean((2, 3))


batch_size = 4
input_shape = (3, 240, 240)


def get_inputs():
    return [torch.rand(batch_size, *input_shape)]


def get_init_inputs():
    return [input_shape[0]]
