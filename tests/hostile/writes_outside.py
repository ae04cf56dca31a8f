# reason: trace_forbidden
open("/tmp/owned", "w").write("owned")
