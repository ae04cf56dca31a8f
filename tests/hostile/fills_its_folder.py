# reason: trace_output
for i in range(10**6):
    with open(f"file{i}", "wb") as file:
        file.write(b"x" * (32 << 20))
