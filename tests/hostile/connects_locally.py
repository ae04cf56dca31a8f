# reason: trace_forbidden
import socket

s = socket.socket(socket.AF_UNIX)
s.connect("\0anything")
