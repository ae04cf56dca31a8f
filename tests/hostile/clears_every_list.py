# reason: any
# whatever this does to the interpreter stays in the child
import gc

for thing in gc.get_objects():
    if type(thing) is list:
        thing.clear()
