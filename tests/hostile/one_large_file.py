# reason: trace_error
with open("file", "wb") as file:
    for _ in range(100):
        file.write(b"x" * (1 << 20))
