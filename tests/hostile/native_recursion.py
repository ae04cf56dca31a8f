# reason: trace_crash|trace_error
# A crash up to Python 3.11; from 3.12 on Python counts its own C frames and raises RecursionError.
import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr(self)


repr(Deep())
