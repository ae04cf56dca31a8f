# reason: trace_forbidden
import os
import torch

os.open(torch.__file__, os.O_RDONLY | os.O_TRUNC)
