# reason: trace_forbidden
import socket

socket.socket(socket.AF_INET6)
