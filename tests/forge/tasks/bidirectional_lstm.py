"""An LSTM in both directions, whose last states a linear layer reads."""
import torch
import torch.nn as nn

BATCH = 5
LENGTH = 20
FEATURES = 24
UNITS = 40
CLASSES = 18


class Model(nn.Module):
    def __init__(self, features, units, classes):
        super().__init__()
        self.lstm = nn.LSTM(features, units, bidirectional=True)
        self.head = nn.Linear(4 * units, classes)

    def forward(self, x):
        _, (hidden, memory) = self.lstm(x)
        return self.head(torch.cat([hidden[0], hidden[1], memory[0], memory[1]], dim=1))


def get_inputs():
    return [torch.randn(LENGTH, BATCH, FEATURES)]


def get_init_inputs():
    return [FEATURES, UNITS, CLASSES]
