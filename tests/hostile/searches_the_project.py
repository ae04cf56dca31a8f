# reason: trace_forbidden
import os

import tritonsmith

folder = os.path.realpath(tritonsmith.__file__)
for _ in range(3):
    folder = os.path.dirname(folder)
os.listdir(folder)
