# reason: trace_forbidden
import os
import torch

os.unlink(torch.__file__)
