# reason: trace_forbidden
import threading
import time

threading.stack_size(64 << 10)
while True:
    threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()
