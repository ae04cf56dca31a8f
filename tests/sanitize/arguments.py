# exit 4: clean; script_exit 3; launches 2
# arguments: --size 8 -v
# stdout: ['--size', '8', '-v'] __main__ arguments.py True
import atexit
import os
import sys
import threading
import time

import torch
import triton
import triton.language as tl


@triton.jit
def one(x):
    tl.store(x, 1)


print(sys.argv[1:], __name__, os.path.basename(sys.argv[0]), sys.path[0] == os.path.dirname(os.path.abspath(__file__)))
# Launches at the very end count too.
atexit.register(lambda: one[(1,)](torch.zeros(1, dtype=torch.int32, device="cuda")))


def later():
    time.sleep(0.2)
    one[(1,)](torch.zeros(1, dtype=torch.int32, device="cuda"))


threading.Thread(target=later).start()
sys.exit(3)
