# reason: trace_forbidden
open("/etc/passwd").read()
