# reason: any
# seconds: 3
import os

os.write = lambda fd, data: 1
