# reason: any
import gc

for thing in gc.get_objects():
    if type(thing) is dict and "steps" in thing:
        thing["steps"] = [{"kind": "launch", "kernel": -1, "grid": [1 << 62] * 3, "args": []}] * 100
