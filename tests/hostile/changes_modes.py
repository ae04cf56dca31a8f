# reason: trace_forbidden
import os
import torch

os.chmod(torch.__file__, 0o777)
