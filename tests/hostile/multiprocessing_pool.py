# reason: trace_forbidden
import multiprocessing

multiprocessing.Pool(2)
