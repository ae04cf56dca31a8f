# reason: trace_timeout
# seconds: 2
import threading

def burn():
    while True:
        pass


for _ in range(16):
    threading.Thread(target=burn, daemon=True).start()
burn()
