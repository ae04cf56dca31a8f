# reason: trace_error
raise RuntimeError("\x1b[2J\x1b]0;owned\x07 \u202e \ud800" + "x" * 10**6)
