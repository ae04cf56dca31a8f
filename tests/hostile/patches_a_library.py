# reason: trace_forbidden
import torch

open(torch.__file__, "a").write("owned")
