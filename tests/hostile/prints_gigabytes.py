# reason: trace_output
while True:
    print("x" * 100000)
