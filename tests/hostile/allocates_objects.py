# reason: trace_memory
# seconds: 60
kept = []
while True:
    kept = [kept, *range(1000)]
