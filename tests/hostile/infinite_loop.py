# reason: trace_timeout
# seconds: 2
while True:
    pass
