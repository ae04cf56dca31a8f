"""Token embeddings plus embeddings of positions."""
import torch
import torch.nn as nn

BATCH = 6
LENGTH = 200
WORDS = 1000
FEATURES = 96


class Model(nn.Module):
    def __init__(self, words, length, features):
        super().__init__()
        self.words = nn.Embedding(words, features)
        self.positions = nn.Parameter(torch.randn(length, features))

    def forward(self, tokens):
        return self.words(tokens) + self.positions


def get_inputs():
    return [torch.randint(0, WORDS, (BATCH, LENGTH))]


def get_init_inputs():
    return [WORDS, LENGTH, FEATURES]
