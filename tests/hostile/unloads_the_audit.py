# reason: trace_forbidden
import os
import sys

from tritonsmith import sandbox

sandbox._refuse.__code__ = (lambda event, args: None).__code__
os.fork()
