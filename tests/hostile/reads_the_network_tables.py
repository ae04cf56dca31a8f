# reason: trace_forbidden
open("/proc/self/net/tcp").read()
