# reason: trace_output
for i in range(10**7):
    open(f"file{i}", "w").close()
