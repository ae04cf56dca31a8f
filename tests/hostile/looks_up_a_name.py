# reason: trace_forbidden
import socket

socket.getaddrinfo("example.org", 80)
